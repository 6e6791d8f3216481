/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Counts the objects on the heap with the diagnostic command of the JVM. */
final class ClassHistogram {
  private static final String BEAN = "com.sun.management:type=DiagnosticCommand";
  private static final String COMMAND = "gcClassHistogram";
  private static final String[] OURS = {"dev.cistern.", "io.netty.buffer.", "cistern."};

  private ClassHistogram() {}

  /**
   * Reports the buffer objects, live and bound ones, and all objects of the allocator's classes.
   */
  static void report(Bed bed) {
    Object sample = bed.subject().allocate(64);
    String bufferClass = sample.getClass().getName();
    bed.subject().release(sample);
    String[] lines = read().split("\n", -1);
    long[] buffers = sum(lines, bufferClass, true);
    bed.number("buffer-objects", buffers[0]);
    bed.number("buffer-object-bytes", buffers[1]);
    long allBytes = 0;
    for (String prefix : OURS) {
      allBytes += sum(lines, prefix, false)[1];
    }
    bed.number("allocator-object-bytes", allBytes - sum(lines, harness(), false)[1]);
  }

  private static String harness() {
    return ClassHistogram.class.getPackageName();
  }

  private static String read() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName(BEAN),
                  COMMAND,
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException missing) {
      throw new IllegalStateException("no " + COMMAND, missing);
    }
  }

  /**
   * Returns the objects and bytes of a class, or of all classes whose name begins with a prefix.
   */
  static long[] sum(String[] lines, String name, boolean exact) {
    long[] sum = new long[2];
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1); // rank, objects, bytes, class, module
      if (words.length >= 4
          && words[0].endsWith(":")
          && (exact ? words[3].equals(name) : words[3].startsWith(name))) {
        sum[0] += Long.parseLong(words[1]);
        sum[1] += Long.parseLong(words[2]);
      }
    }
    return sum;
  }
}

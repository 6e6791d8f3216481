/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what this JVM uses. */
final class Meter {
  /** What the system maps memory by. */
  static final int SYSTEM_PAGE_BYTES = 4096;

  private static final Path STATUS = Path.of("/proc/self/status");

  /** The line of the resident set in a process's status. */
  static final String RESIDENT = "VmRSS:";

  private final Subject subject;

  Meter(Subject subject) {
    this.subject = subject;
  }

  /** All of it, after garbage collections. */
  Point collected() {
    collect();
    return now();
  }

  /** All of it now; the heap with its garbage. */
  Point now() {
    return new Point(
        subject.reservedBytes(), subject.pinnedBytes(), beanBytes(), residentBytes(), heapBytes());
  }

  /** Twice, since the first collection only finds what has a cleaner. */
  static void collect() {
    System.gc();
    System.gc();
  }

  static long heapBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long beanBytes() {
    for (BufferPoolMXBean bean : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (bean.getName().equals("direct")) {
        return bean.getMemoryUsed();
      }
    }
    return -1;
  }

  /** -1 where the system does not say. */
  static long residentBytes() {
    return statusBytes(STATUS, RESIDENT);
  }

  /**
   * Returns a figure of a process's status, or -1 where the system does not say.
   *
   * @param field the start of its line
   */
  static long statusBytes(Path status, String field) {
    if (!Files.isReadable(status)) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(field)) {
          String number = line.substring(field.length()).replace("kB", "").strip();
          return Long.parseLong(number) << 10;
        }
      }
      return -1;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}

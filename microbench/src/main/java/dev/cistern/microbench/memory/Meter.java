/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the memory use of this JVM. */
final class Meter {
  /** The unit in which the system maps memory. */
  static final int SYSTEM_PAGE_BYTES = 4096;

  private static final Path STATUS = Path.of("/proc/self/status");

  /** The field name of the resident set in the status file of a process. */
  static final String RESIDENT = "VmRSS:";

  private final Subject subject;

  Meter(Subject subject) {
    this.subject = subject;
  }

  /** Returns all figures, after garbage collections. */
  Point collected() {
    collect();
    return now();
  }

  /** Returns the current figures; the heap includes garbage. */
  Point now() {
    return new Point(
        subject.reservedBytes(), subject.pinnedBytes(), beanBytes(), residentBytes(), heapBytes());
  }

  /**
   * Collects garbage twice, because the first collection only discovers the objects that have a
   * cleaner.
   */
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

  /** Returns the resident set of this process, or -1 if the system does not report it. */
  static long residentBytes() {
    return statusBytes(STATUS, RESIDENT);
  }

  /**
   * Returns a figure of a process's status, or -1 if the system does not report it.
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

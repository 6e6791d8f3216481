/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.File;
import java.io.IOException;

/**
 * Resident memory of this process, with its huge pages of hugetlbfs. {@code /proc/self/statm} does
 * not count these, although they are always in memory, and the page map shows them. A Java heap
 * with {@code -XX:+UseLargePages} consists of them.
 */
public final class ResidentSize {
  private static final File STATM = new File("/proc/self/statm");
  private static final File STATUS = new File("/proc/self/status");
  private static final String HUGE = "HugetlbPages:";

  private ResidentSize() {}

  /** Returns the bytes, or -1 on a system without this file. */
  public static long read() {
    try {
      String[] columns = ProcFiles.read(STATM).split(" ", 3);
      return Long.parseLong(columns[1]) * PageSize.BYTES + hugeBytes(STATUS);
    } catch (IOException | RuntimeException notLinux) {
      return -1;
    }
  }

  /** Returns the bytes of huge pages in a file of status; 0 if the kernel does not count them. */
  static long hugeBytes(File status) {
    try {
      for (String line : ProcFiles.lines(status)) {
        if (line.startsWith(HUGE)) {
          String size = line.substring(HUGE.length()).replace("kB", "").strip();
          return Long.parseLong(size) << 10;
        }
      }
    } catch (IOException | RuntimeException hidden) {
      // the resident memory is known without them
    }
    return 0;
  }
}

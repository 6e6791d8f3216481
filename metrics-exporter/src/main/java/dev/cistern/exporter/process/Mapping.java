/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import org.jspecify.annotations.Nullable;

/**
 * A line of {@code /proc/self/maps}.
 *
 * @param start first address
 * @param end address after the last
 * @param access permissions, such as {@code rw-p}
 * @param path file, a name in brackets, or empty for anonymous memory
 */
record Mapping(long start, long end, String access, String path) {
  private static final String DELETED = " (deleted)";

  /** Returns the mapping of a line, or null if the line is malformed. */
  static @Nullable Mapping parse(String line) {
    int dash = line.indexOf('-');
    int space = line.indexOf(' ');
    if (dash < 0 || space < dash || line.length() < space + 5) {
      return null;
    }
    try {
      long start = Long.parseUnsignedLong(line, 0, dash, 16);
      long end = Long.parseUnsignedLong(line, dash + 1, space, 16);
      return new Mapping(start, end, line.substring(space + 1, space + 5), path(line, space));
    } catch (NumberFormatException malformed) {
      return null;
    }
  }

  /** Returns the sixth column: access, offset, device and inode are before it. */
  private static String path(String line, int firstSpace) {
    int at = firstSpace;
    for (int column = 0; column < 4; column++) {
      at = line.indexOf(' ', at + 1);
      if (at < 0) {
        return "";
      }
    }
    return line.substring(at).strip();
  }

  /** Returns the path without the mark of the kernel for a file that was deleted or replaced. */
  String file() {
    return path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path;
  }

  long bytes() {
    return end - start;
  }

  /**
   * Returns whether the mapping has no file. The JDK maps anonymous memory by /dev/zero. The kernel
   * shows huge pages (MAP_HUGETLB) as a deleted file.
   */
  boolean isAnonymous() {
    return path.isEmpty()
        || path.startsWith("[anon")
        || path.startsWith("/dev/zero")
        || path.startsWith("/anon_hugepage");
  }

  /** Returns whether no access is allowed: a guard, or reserved memory. */
  boolean isReserved() {
    return access.startsWith("---");
  }

  boolean isExecutable() {
    return access.charAt(2) == 'x';
  }

  boolean isWritable() {
    return access.charAt(1) == 'w';
  }
}

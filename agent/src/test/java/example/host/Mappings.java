/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The mappings of this process. */
final class Mappings {
  private static final String DEVICE = " /dev/zero";

  private Mappings() {}

  private static List<String> lines() {
    try {
      return Files.readAllLines(Path.of("/proc/self/maps"));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the mappings", e);
    }
  }

  /** Returns the number of mappings of {@code /dev/zero}. */
  static long ofDevice() {
    return lines().stream().filter(line -> line.endsWith(DEVICE)).count();
  }

  /** Returns whether one mapping that can be written contains the whole range. */
  static boolean isMapped(long address, long bytes) {
    for (String line : lines()) {
      int dash = line.indexOf('-');
      int space = line.indexOf(' ');
      long from = Long.parseUnsignedLong(line.substring(0, dash), 16);
      long to = Long.parseUnsignedLong(line.substring(dash + 1, space), 16);
      if (from <= address && address + bytes <= to) {
        return line.startsWith("rw", space + 1);
      }
    }
    return false;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Facts of the operating system that decide how memory is allocated. */
final class Platform {
  static final boolean IS_LINUX = System.getProperty("os.name", "").startsWith("Linux");

  /** The default of Linux. */
  private static final long DEFAULT_MAX_MAP_COUNT = 65_530;

  /** {@code vm.overcommit_memory}: address space counts as memory. */
  private static final long STRICT = 2;

  private Platform() {}

  /** Returns how many mappings Linux permits a process: {@code vm.max_map_count}. */
  static long maxMapCount() {
    return kernelNumber("max_map_count", DEFAULT_MAX_MAP_COUNT);
  }

  /** Returns whether address space that is never used costs nothing. */
  static boolean isAddressSpaceFree() {
    return IS_LINUX && kernelNumber("overcommit_memory", STRICT) != STRICT;
  }

  /** By one call of the system: the kernel gives such a file in one piece, or cuts it. */
  private static long kernelNumber(String name, long defaultValue) {
    byte[] text = new byte[32];
    try (InputStream file = new FileInputStream("/proc/sys/vm/" + name)) {
      int length = Math.max(0, file.read(text));
      return Long.parseLong(new String(text, 0, length, StandardCharsets.US_ASCII).trim());
    } catch (IOException | RuntimeException unknown) {
      return defaultValue;
    }
  }
}

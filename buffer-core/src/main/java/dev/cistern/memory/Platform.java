/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /**
   * Returns whether memory of malloc that is never used costs nothing: there is enough address
   * space, and malloc is glibc's and does not write to it.
   */
  static boolean isAddressSpaceFree() {
    return IS_LINUX
        && MemoryAccess.ADDRESS_BYTES == Long.BYTES
        && kernelNumber("overcommit_memory", STRICT) != STRICT
        && System.getenv("MALLOC_PERTURB_") == null
        && System.getenv("GLIBC_TUNABLES") == null
        && !String.valueOf(System.getenv("LD_PRELOAD")).contains("malloc")
        && isAddressSpaceUnlimited();
  }

  private static boolean isAddressSpaceUnlimited() {
    try {
      return Files.readAllLines(Path.of("/proc/self/limits")).stream()
          .anyMatch(line -> line.matches("Max address space +unlimited .*"));
    } catch (IOException | RuntimeException unknown) {
      return false;
    }
  }

  /** Reads the file by one call: the kernel returns only its first part to smaller ones. */
  private static long kernelNumber(String name, long defaultValue) {
    try {
      return Long.parseLong(Files.readAllLines(Path.of("/proc/sys/vm", name)).get(0).trim());
    } catch (IOException | RuntimeException unknown) {
      return defaultValue;
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Properties of the operating system that determine how memory is allocated. */
final class Platform {
  static final boolean IS_LINUX = System.getProperty("os.name", "").startsWith("Linux");

  /** The default limit of mappings in Linux. */
  private static final long DEFAULT_MAX_MAP_COUNT = 65_530;

  /** The value of {@code vm.overcommit_memory} with which address space counts as memory. */
  private static final long STRICT = 2;

  private Platform() {}

  /** Returns the number of mappings that Linux permits for a process: {@code vm.max_map_count}. */
  static long maxMapCount() {
    return kernelNumber("max_map_count", DEFAULT_MAX_MAP_COUNT);
  }

  /**
   * Returns whether unused memory of malloc costs nothing. This is so if there is enough address
   * space, and if malloc is that of glibc and does not write to the memory.
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

  /**
   * Returns a number from a file of the kernel. Reads the file with one call, because the kernel
   * returns only the first part to smaller reads.
   */
  private static long kernelNumber(String name, long defaultValue) {
    try {
      return Long.parseLong(Files.readAllLines(Path.of("/proc/sys/vm", name)).get(0).trim());
    } catch (IOException | RuntimeException unknown) {
      return defaultValue;
    }
  }
}

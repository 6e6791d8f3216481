/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import org.jspecify.annotations.Nullable;

/**
 * Maps anonymous private memory of the operating system. Mapped pages contain zeros, and are
 * resident only once they are used. Thread-safe.
 */
interface PageMapper {
  /** After so many calls, reflection and method handles of the JDK make no classes any more. */
  int WARM_UP = 200;

  /**
   * Returns the address of the first byte of a new mapping, which begins with a page.
   *
   * @param bytes a multiple of the page size, at least one page
   * @throws OutOfMemoryError if the operating system refuses the mapping
   */
  long map(long bytes);

  /** Unmaps all of a mapping, once. */
  void unmap(long address, long bytes);

  /** Returns how this object maps. */
  MemoryWay way();

  /** Returns the mapper that this JVM permits, or null if it permits none. */
  static @Nullable PageMapper find() {
    PageMapper mapper = JdkMapper.find();
    return mapper != null ? mapper : LinkerMapper.find();
  }

  /**
   * Returns the mapper if mappings can be written and contain zeros, otherwise null. It is used
   * often enough for the JDK to make what it makes of a method handle after 127 calls: later, the
   * Java heap may be full, and unmapping must not fail.
   */
  static @Nullable PageMapper checked(PageMapper mapper) {
    long bytes = MemoryAccess.PAGE_BYTES;
    boolean isGood = true;
    for (int i = 0; i < WARM_UP && isGood; i++) {
      long address = mapper.map(bytes);
      isGood = MemoryAccess.getLong(null, address) == 0;
      MemoryAccess.putLong(null, address, 42);
      isGood &= MemoryAccess.getLong(null, address) == 42;
      mapper.unmap(address, bytes);
    }
    return isGood ? mapper : null;
  }
}

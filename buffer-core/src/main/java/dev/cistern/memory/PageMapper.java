/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import org.jspecify.annotations.Nullable;

/**
 * Maps anonymous private memory of the operating system. Mapped pages contain zeros, and are
 * resident only once they are used. Thread-safe.
 */
interface PageMapper {
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

  /** Returns the mapper if a first mapping can be written and contains zeros, otherwise null. */
  static @Nullable PageMapper checked(PageMapper mapper) {
    long bytes = MemoryAccess.PAGE_BYTES;
    long address = mapper.map(bytes);
    boolean isZero = MemoryAccess.getLong(null, address) == 0;
    MemoryAccess.putLong(null, address, 42);
    boolean isWritten = MemoryAccess.getLong(null, address) == 42;
    mapper.unmap(address, bytes);
    return isZero && isWritten ? mapper : null;
  }
}

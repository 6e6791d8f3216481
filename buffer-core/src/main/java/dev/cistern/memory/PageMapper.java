/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A mapper of anonymous private memory of the operating system. Mapped pages contain zeros, and are
 * not resident before their first use. Thread-safe.
 */
abstract class PageMapper {
  /**
   * The number of calls after which the JDK's reflection and method handles generate no more
   * classes.
   */
  private static final int WARM_UP = 200;

  private final MemoryWay way;

  /** The method {@code (long address, long bytes) -> int}, which returns 0 on success. */
  private final MethodHandle unmap;

  PageMapper(MemoryWay way, MethodHandle unmap) {
    this.way = way;
    this.unmap = unmap;
  }

  /**
   * Returns the address of the first byte of a new mapping, which starts at a page boundary.
   *
   * @param bytes the size in bytes, a multiple of the page size, at least one page
   * @throws OutOfMemoryError if the operating system refuses the mapping
   */
  abstract long map(long bytes);

  /** Unmaps a whole mapping. The caller calls this once for each mapping. */
  final void unmap(long address, long bytes) {
    int result;
    try {
      result = (int) unmap.invokeExact(address, bytes);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable failed) {
      throw new IllegalStateException("cannot unmap " + bytes + " bytes", failed);
    }
    if (result != 0) {
      throw new IllegalStateException("cannot unmap " + bytes + " bytes: result " + result);
    }
  }

  /** Returns the way in which this object maps memory. */
  final MemoryWay way() {
    return way;
  }

  /** Returns the mapper that this JVM permits, or null if it permits none. */
  static @Nullable PageMapper find() {
    PageMapper mapper = checked(JdkMapper::search);
    return mapper != null ? mapper : checked(LinkerMapper::search);
  }

  /**
   * Returns the mapper if mappings can be written and contain zeros, otherwise null. Calls the
   * mapper more than 127 times, after which the JDK generates the class of a method handle. Later
   * the Java heap may be full, and unmapping must not fail.
   */
  private static @Nullable PageMapper checked(Callable<@Nullable PageMapper> search) {
    try {
      PageMapper mapper = search.call();
      return mapper != null && mapper.works() ? mapper : null;
    } catch (Exception | OutOfMemoryError | LinkageError notPermitted) {
      return null;
    }
  }

  private boolean works() {
    long bytes = MemoryAccess.PAGE_BYTES;
    boolean works = true;
    for (int i = 0; i < WARM_UP && works; i++) {
      long address = map(bytes);
      works = MemoryAccess.getLong(null, address) == 0;
      MemoryAccess.putLong(null, address, 42);
      works &= MemoryAccess.getLong(null, address) == 42;
      unmap(address, bytes);
    }
    return works;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;

/**
 * Native memory as the C library hands it out: not zeroed, so that a page takes room only once it
 * is used, and not tied to the garbage collector. Whoever takes it has counted it, and gives it
 * back. Thread-safe.
 */
public final class UninitializedMemory {
  private UninitializedMemory() {}

  /** Whether this JVM lets us make buffers over such memory. */
  public static boolean isAvailable() {
    return NativeBuffers.canWrap();
  }

  /**
   * Takes memory.
   *
   * @param bytes at least 1
   * @return a view of it, which is not to be used after {@link #free}
   * @throws OutOfMemoryError if the operating system refuses it, or the Java heap is full
   */
  public static ByteBuffer allocate(int bytes) {
    long address = MemoryAccess.allocate(bytes);
    try {
      return NativeBuffers.wrap(address, bytes);
    } catch (Throwable failed) { // the Java heap may be full
      MemoryAccess.free(address);
      throw failed;
    }
  }

  /** Gives memory back, once: the view that {@link #allocate} made of it. */
  public static void free(ByteBuffer view) {
    MemoryAccess.free(NativeBuffers.address(view));
  }

  /**
   * Gives memory of {@code Unsafe} back, once: for a caller that has kept no view of it.
   *
   * @param address where it begins
   */
  public static void free(long address) {
    MemoryAccess.free(address);
  }
}

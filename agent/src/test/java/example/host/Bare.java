/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The class of a buffer without wrappers. Netty wraps a random buffer in 128 to detect leaks. */
final class Bare {
  private Bare() {}

  /** Returns the innermost buffer. */
  static ByteBuf of(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare.unwrap() != null) {
      bare = bare.unwrap();
    }
    return bare;
  }

  /** Returns the class name of the innermost buffer. */
  static String className(ByteBuf buffer) {
    return of(buffer).getClass().getName();
  }

  /**
   * Waits until the agent serves an allocator. Allocates heap buffers only: for a direct one, Netty
   * would allocate a chunk and keep it.
   */
  static void awaitAgent(ByteBufAllocator allocator) {
    while (true) {
      ByteBuf buffer = allocator.heapBuffer(16);
      String name = className(buffer);
      buffer.release();
      if (name.startsWith("dev.cistern.")) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}

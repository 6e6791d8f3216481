/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits until the agent serves an allocator; a benchmark of the bridge must not measure Netty. */
public final class BridgeReady {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private BridgeReady() {}

  /** Returns Netty's pooled allocator, backed by Cistern's pool. */
  static ByteBufAllocator allocator() {
    ByteBufAllocator allocator = new PooledByteBufAllocator(true);
    await(allocator);
    return allocator;
  }

  /**
   * Waits until the agent serves the allocator.
   *
   * @throws IllegalStateException if the agent does not serve the allocator in time
   */
  public static void await(ByteBufAllocator allocator) {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    String seen;
    do {
      ByteBuf buffer = allocator.directBuffer(16);
      seen = bare(buffer).getClass().getName();
      buffer.release();
      if (seen.startsWith("dev.cistern.")) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    } while (System.nanoTime() < deadline);
    throw new IllegalStateException(
        "the agent does not serve the allocator: its buffers are " + seen);
  }

  /** Returns the buffer below a wrapper of Netty's leak detector. */
  private static ByteBuf bare(ByteBuf buffer) {
    ByteBuf inner = buffer.unwrap();
    return inner == null ? buffer : bare(inner);
  }
}

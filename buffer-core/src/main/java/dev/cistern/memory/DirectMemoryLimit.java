/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts native memory against a limit: all that pools and unpooled buffers have allocated and not
 * freed, whether buffers use it or not. Thread-safe.
 */
public final class DirectMemoryLimit {
  private static final class Shared {
    static final DirectMemoryLimit INSTANCE = new DirectMemoryLimit(MaxDirectMemory.bytes());
  }

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * @param limitBytes the most bytes that may be reserved at a time; at least 0
   * @throws IllegalArgumentException if {@code limitBytes} is negative
   */
  public DirectMemoryLimit(long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: >= 0)");
    }
    this.limitBytes = limitBytes;
  }

  /** The limit that all pools of this JVM share, {@code -Dcistern.maxDirectMemory} bytes. */
  public static DirectMemoryLimit shared() {
    return Shared.INSTANCE;
  }

  /**
   * Reserves {@code bytes}.
   *
   * @throws OutOfMemoryError if that would pass the limit
   */
  public void reserve(long bytes) {
    if (!reserves(bytes)) {
      throw new OutOfMemoryError(
          "cannot reserve "
              + bytes
              + " byte(s) of direct memory (used: "
              + usedBytes.get()
              + ", limit: "
              + limitBytes
              + "; raise -D"
              + MaxDirectMemory.PROPERTY
              + " or -XX:MaxDirectMemorySize)");
    }
  }

  private boolean reserves(long bytes) {
    for (; ; ) {
      long used = usedBytes.get();
      if (bytes > limitBytes - used) {
        return false;
      }
      if (usedBytes.compareAndSet(used, used + bytes)) {
        return true;
      }
    }
  }

  /** Takes back a reservation of {@code bytes}. */
  public void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  /** Bytes reserved now. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** The limit in bytes. */
  public long limitBytes() {
    return limitBytes;
  }
}

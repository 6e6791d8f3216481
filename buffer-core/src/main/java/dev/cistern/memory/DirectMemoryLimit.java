/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts reserved native memory against a limit (seed row A15).
 *
 * <p>What counts is what was reserved from the operating system, whether buffers use it or not.
 */
public final class DirectMemoryLimit {
  private static final class Shared {
    static final DirectMemoryLimit INSTANCE =
        new DirectMemoryLimit(MaxDirectMemory.bytes(), RestingMemory.shared());
  }

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private final @Nullable RestingMemory resting;

  /**
   * @param limitBytes the most bytes that may be reserved at a time; at least 0
   * @throws IllegalArgumentException if {@code limitBytes} is negative
   */
  public DirectMemoryLimit(long limitBytes) {
    this(limitBytes, null);
  }

  /**
   * @param resting where regions rest that count until they are freed; they are before the limit
   *     refuses anything
   */
  DirectMemoryLimit(long limitBytes, @Nullable RestingMemory resting) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: >= 0)");
    }
    this.limitBytes = limitBytes;
    this.resting = resting;
  }

  /** The limit that all pools of this JVM share, {@code -Dcistern.maxDirectMemory} bytes. */
  public static DirectMemoryLimit shared() {
    return Shared.INSTANCE;
  }

  /** Where regions that count against this limit rest, or null where they do not. */
  @Nullable RestingMemory resting() {
    return resting;
  }

  /**
   * Reserves {@code bytes}.
   *
   * @throws OutOfMemoryError if that would pass the limit
   */
  public void reserve(long bytes) {
    if (!reserves(bytes) && !reservesWhatRested(bytes)) {
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

  /** As {@link RestingMemory#request}, but without an error each time. */
  private boolean reservesWhatRested(long bytes) {
    RestingMemory relief = resting;
    if (relief == null || bytes > limitBytes) {
      return false;
    }
    for (int requests = 1; requests <= RestingMemory.MOST_REQUESTS; requests++) {
      long freedBefore = relief.freedRegions();
      if (reserves(bytes)) {
        return true;
      }
      if (!relief.freeAll(freedBefore)) {
        return false;
      }
    }
    return reserves(bytes);
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory that counts in Netty's and the JVM's accounts of direct memory, under their limits
 * ({@link MemoryBackend}).
 *
 * <p>If the caller has a fallback, this source refuses further requests for some time after a slow
 * refusal, without a call of the backend ({@link AllocationBackoff}). Without a fallback there is
 * no pause. A pause would fail allocations that could succeed again, because other code of the host
 * has freed memory.
 */
public class NettyDirectMemory implements MemorySource {
  /** The memory of this copy of Netty. */
  public static final NettyDirectMemory INSTANCE = new NettyDirectMemory(MemoryBackend.ofHost());

  private final MemoryBackend backend;
  private final AtomicLong usedBytes = new AtomicLong();

  /** Number of regions that were freed. */
  private final AtomicLong freed = new AtomicLong();

  private final AllocationBackoff refusals = new AllocationBackoff();

  NettyDirectMemory(MemoryBackend backend) {
    this.backend = backend;
  }

  @Override
  public Region allocate(int bytes) {
    Region region = hasFallback() ? allocateUnlessPaused(bytes) : backend.allocate(bytes);
    usedBytes.addAndGet(bytes);
    return region;
  }

  private Region allocateUnlessPaused(int bytes) {
    long freedBefore = freed.get();
    long start = nanoTime();
    if (refusals.covers(bytes, freedBefore, start)) {
      throw refusals.error(bytes, usedBytes(), limitBytes());
    }
    try {
      return backend.allocate(bytes);
    } catch (OutOfMemoryError refused) {
      refusals.add(bytes, freedBefore, start, nanoTime());
      throw refused;
    }
  }

  /** Returns whether the caller continues in other memory after a refusal; tests override it. */
  boolean hasFallback() {
    return NettyFeatures.HOOKS.hasFallback();
  }

  /** Returns the time; tests override it. */
  long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void free(Region region) {
    try {
      backend.free(region);
    } finally {
      usedBytes.addAndGet(-region.bytes());
      freed.incrementAndGet();
    }
  }

  /**
   * Returns Netty's count, which includes its own chunks. If Netty does not count, returns only the
   * bytes of this source.
   */
  @Override
  public long usedBytes() {
    long counted = PlatformDependent.usedDirectMemory();
    return counted >= 0 ? counted : usedBytes.get();
  }

  /** Returns whether the JVM counts these regions as direct buffers. */
  public boolean isInJvmAccount() {
    return backend.isInJvmAccount();
  }

  @Override
  public long limitBytes() {
    return PlatformDependent.maxDirectMemory();
  }
}

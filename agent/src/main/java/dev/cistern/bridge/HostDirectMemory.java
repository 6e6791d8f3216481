/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory for which Netty's and the JVM's counters and limits of direct memory hold, for
 * theirs and ours together ({@link MemoryBackend}). After a slow refusal it refuses further
 * requests for a while without asking ({@link Refusals}).
 */
class HostDirectMemory implements MemorySource {
  static final HostDirectMemory INSTANCE = new HostDirectMemory(MemoryBackend.ofHost());

  private final MemoryBackend backend;
  private final AtomicLong usedBytes = new AtomicLong();

  /** How many regions were freed. */
  private final AtomicLong freed = new AtomicLong();

  private final Refusals refusals = new Refusals();

  HostDirectMemory(MemoryBackend backend) {
    this.backend = backend;
  }

  @Override
  public Region allocate(int bytes) {
    long freedBefore = freed.get();
    long start = nanoTime();
    if (refusals.covers(bytes, freedBefore, start)) {
      throw refusals.error(bytes, usedBytes(), limitBytes());
    }
    Region region;
    try {
      region = backend.allocate(bytes);
    } catch (OutOfMemoryError refused) {
      refusals.add(bytes, freedBefore, start, nanoTime());
      throw refused;
    }
    usedBytes.addAndGet(bytes);
    return region;
  }

  /** The clock. */
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

  /** Returns Netty's count, its own chunks included; only ours where Netty does not count. */
  @Override
  public long usedBytes() {
    long counted = PlatformDependent.usedDirectMemory();
    return counted >= 0 ? counted : usedBytes.get();
  }

  @Override
  public long limitBytes() {
    return PlatformDependent.maxDirectMemory();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.WatchFailures;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import io.netty.buffer.CisternEvents;

/**
 * A source that writes one of Netty's events of the flight recorder for each region that it
 * allocates or frees. A failure loses only the event.
 *
 * @param source allocates and frees
 * @param direct whether the memory is native
 * @param chunkBytes size of a chunk; memory of larger regions serves one buffer
 */
record RecordedSource(MemorySource source, boolean direct, int chunkBytes) implements MemorySource {
  @Override
  public Region allocate(int bytes) {
    Region region = source.allocate(bytes);
    try {
      CisternEvents.chunkAllocated(bytes, direct, address(region), bytes <= chunkBytes);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
    return region;
  }

  @Override
  public void free(Region region) {
    int bytes = (int) region.bytes();
    try {
      CisternEvents.chunkFreed(bytes, direct, address(region), bytes <= chunkBytes);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
    source.free(region);
  }

  /** Returns 0 for heap memory, whose address has no meaning. */
  private long address(Region region) {
    return direct ? region.address() : 0;
  }

  @Override
  public long usedBytes() {
    return source.usedBytes();
  }

  @Override
  public long limitBytes() {
    return source.limitBytes();
  }
}

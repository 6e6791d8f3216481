/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.util.concurrent.atomic.LongAdder;

/** Counts what one allocator has of a source that it shares with others (seed row F4). */
public final class CountingSource implements MemorySource {
  private final MemorySource source;
  private final Runnable onRefusal;
  private final LongAdder ownBytes = new LongAdder();

  /**
   * @param source where the regions come from
   */
  public CountingSource(MemorySource source) {
    this(source, () -> {});
  }

  /**
   * @param source where the regions come from
   * @param onRefusal run whenever it refuses one, before the caller learns of it
   */
  public CountingSource(MemorySource source, Runnable onRefusal) {
    this.source = source;
    this.onRefusal = onRefusal;
  }

  /** Bytes that are out through this object. */
  public long ownBytes() {
    return ownBytes.sum();
  }

  @Override
  public Region allocate(int bytes) {
    Region region;
    try {
      region = source.allocate(bytes);
    } catch (OutOfMemoryError refused) {
      onRefusal.run();
      throw refused;
    }
    ownBytes.add(region.bytes());
    return region;
  }

  @Override
  public void free(Region region) {
    ownBytes.add(-region.bytes());
    source.free(region);
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a pool has of its source; refers to regions only, so that it may outlive the pool. */
final class OwnRegions implements MemorySource {
  private final MemorySource source;
  private final Set<Region> out = ConcurrentHashMap.newKeySet();

  OwnRegions(MemorySource source) {
    this.source = source;
  }

  @Override
  public Region allocate(int bytes) {
    Region region = source.allocate(bytes);
    try {
      out.add(region);
      return region;
    } catch (Throwable failed) {
      source.free(region);
      throw failed;
    }
  }

  @Override
  public void free(Region region) {
    out.remove(region);
    source.free(region);
  }

  /** The pool is unreachable, and so is every buffer of it. */
  void freeAll() {
    for (Region region : out) {
      free(region);
    }
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import org.jspecify.annotations.Nullable;

/** Neighbouring pages of a chunk, or a whole extent, which has no chunk. */
abstract sealed class Run permits Run.Pages, Run.Extent {
  /** Returns the region that contains the run. */
  abstract Region region();

  /** Returns the offset of the run in its region, in bytes. */
  abstract int offset();

  /** Returns the length of the run, in bytes. */
  abstract int bytes();

  /** Pages of a chunk. */
  static final class Pages extends Run {
    final Chunk chunk;
    final int start;
    final int count;

    Pages(Chunk chunk, int start, int count) {
      this.chunk = chunk;
      this.start = start;
      this.count = count;
    }

    @Override
    Region region() {
      return chunk.region;
    }

    @Override
    int offset() {
      return start * chunk.pageBytes;
    }

    @Override
    int bytes() {
      return count * chunk.pageBytes;
    }
  }

  /** A separate region. While it is cached, its fields are guarded by the lock of ExtentCache. */
  static final class Extent extends Run {
    final Region region;

    /** The group of the only slot, to which the object stays bound while the extent is cached. */
    final SlotGroup group;

    /** The next extent in a list. */
    @Nullable Extent next;

    /** Whether a tick has found the extent in the cache since its release. */
    boolean hasBeenIdle;

    private long idleSinceNanos;

    Extent(BufferPool pool, Region region) {
      this.region = region;
      this.group = SlotGroup.extent(pool, pool.arenas[0], this);
    }

    boolean isIdle(long nowNanos, long decayNanos) {
      if (!hasBeenIdle) {
        hasBeenIdle = true;
        idleSinceNanos = nowNanos;
      }
      return nowNanos - idleSinceNanos >= decayNanos;
    }

    @Override
    Region region() {
      return region;
    }

    @Override
    int offset() {
      return 0;
    }

    @Override
    int bytes() {
      return (int) region.bytes();
    }
  }
}

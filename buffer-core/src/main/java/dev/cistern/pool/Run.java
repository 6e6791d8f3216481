/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import org.jspecify.annotations.Nullable;

/** Neighbouring pages of a chunk; or a whole extent, which has no chunk. */
abstract sealed class Run permits Run.Pages, Run.Extent {
  /** Returns the region that the run lies in. */
  abstract Region region();

  /** Returns where in the region it begins, in bytes. */
  abstract int offset();

  /** Returns how long it is, in bytes. */
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

  /** A region of its own. While it is cached, its fields are guarded by the lock of Extents. */
  static final class Extent extends Run {
    final Region region;

    /** Its one slot, to which the object stays bound while the extent is cached. */
    final SlotGroup group;

    /** The next extent of a list. */
    @Nullable Extent next;

    /** The maintenance thread has seen it in the cache since it was released. */
    boolean hasBeenIdle;

    private long idleSinceNanos;

    Extent(BufferPool pool, Region region) {
      this.region = region;
      this.group = SlotGroup.extent(pool, pool.arenas()[0], this);
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

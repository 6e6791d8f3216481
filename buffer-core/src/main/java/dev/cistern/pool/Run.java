/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import org.jspecify.annotations.Nullable;

/** Neighbouring pages of a chunk, handed out as one; or a whole extent, which has no chunk. */
abstract sealed class Run permits Run.Pages, Run.Extent {
  /** The region that the run lies in. */
  abstract Region region();

  /** Where in the region it begins, in bytes. */
  abstract int offset();

  /** How long it is, in bytes. */
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

  /** An extent of its own. */
  static final class Extent extends Run {
    final Region region;

    /** Bytes of the region. */
    final int size;

    /** Its one slot, to which the object stays bound while the extent is cached. */
    final SlotGroup group;

    // In the cache: by who holds the lock, or the stripe, that it lies in.

    @Nullable Extent next;

    /** The janitor has seen it lie here since it was released. */
    boolean seenIdle;

    private long idleSinceNanos;

    Extent(BufferPool pool, Region region) {
      this.region = region;
      this.size = (int) region.bytes();
      this.group = SlotGroup.extent(pool, pool.anyArena(), this);
    }

    /** What is bound to it; null where nothing is, or not any more. */
    @Nullable Object object() {
      return group.bound[0];
    }

    /** What is bound to it while it is handed out. */
    Object boundObject() {
      Object object = object();
      if (object == null) {
        throw new IllegalStateException("an extent without an object was handed out");
      }
      return object;
    }

    boolean isIdle(long nowNanos, long decayNanos) {
      if (!seenIdle) {
        seenIdle = true;
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
      return size;
    }
  }
}

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
    // Written and read under the lock of the extents.
    long idleSinceNanos;
    @Nullable Extent next;

    Extent(Region region) {
      this.region = region;
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

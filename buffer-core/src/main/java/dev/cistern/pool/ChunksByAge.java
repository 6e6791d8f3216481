/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of an arena, the oldest first, with an upper bound of the free run in each chunk. A
 * run is taken from the oldest chunk that has one: long-lived runs gather there, and the youngest
 * chunks become empty. The bounds are in a separate array, so that a full chunk costs one
 * comparison and no read of the chunk. Guarded by the arena's lock.
 */
final class ChunksByAge {
  private @Nullable Chunk[] chunks = new Chunk[8];
  private int[] longestMayBe = new int[8];
  private int size;

  /** Number of chunks whose pages were searched for a run since the start. */
  long searches;

  int size() {
    return size;
  }

  Chunk get(int place) {
    Chunk chunk = chunks[place];
    if (chunk == null) {
      throw new AssertionError("no chunk at " + place + " of " + size);
    }
    return chunk;
  }

  /** Adds a chunk as the youngest. If this fails, nothing has changed. */
  void add(Chunk chunk) {
    if (size == chunks.length) {
      @Nullable Chunk[] moreChunks = Arrays.copyOf(chunks, 2 * size);
      longestMayBe = Arrays.copyOf(longestMayBe, 2 * size);
      chunks = moreChunks;
    }
    chunk.place = size;
    chunks[size++] = chunk;
    update(chunk);
  }

  void remove(Chunk chunk) {
    int place = chunk.place;
    size--;
    System.arraycopy(chunks, place + 1, chunks, place, size - place);
    System.arraycopy(longestMayBe, place + 1, longestMayBe, place, size - place);
    chunks[size] = null;
    for (int i = place; i < size; i++) {
      get(i).place = i;
    }
  }

  /** Finds a run in the oldest chunk that has one; returns null if there is none. */
  Run.@Nullable Pages find(int pages) {
    for (int i = 0; i < size; i++) {
      if (longestMayBe[i] >= pages) {
        Chunk chunk = get(i);
        searches++;
        Run.Pages run = chunk.find(pages);
        update(chunk); // the search has measured the free runs
        if (run != null) {
          return run;
        }
      }
    }
    return null;
  }

  /** Returns the pages, up to {@code most}, of the first run of {@code least} or more; or 0. */
  int roomFor(int least, int most) {
    Run.Pages run = find(least);
    return run == null ? 0 : run.chunk.roomFor(least, most);
  }

  /** Updates the bound of a chunk after its pages have changed. */
  void update(Chunk chunk) {
    longestMayBe[chunk.place] = chunk.longestMayBe();
  }
}

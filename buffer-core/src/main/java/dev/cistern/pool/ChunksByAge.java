/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An arena's chunks, the oldest first, with the most pages that a run in each may have. A run is
 * taken from the oldest chunk that has one: what lives long gathers there, and the youngest chunks
 * drain. The lengths stand in an array of their own, so that passing a full chunk costs one
 * comparison and does not touch it. Guarded by the arena's lock.
 */
final class ChunksByAge {
  private @Nullable Chunk[] chunks = new Chunk[8];
  private int[] longestMayBe = new int[8];
  private int size;

  /** Chunks whose pages were searched for a run so far. */
  long searches;

  /** Makes room for one more chunk; may fail, then nothing has changed. */
  void reserve() {
    if (size == chunks.length) {
      @Nullable Chunk[] moreChunks = Arrays.copyOf(chunks, 2 * size);
      longestMayBe = Arrays.copyOf(longestMayBe, 2 * size);
      chunks = moreChunks;
    }
  }

  /** Adds a chunk as the youngest, after {@link #reserve}. */
  void add(Chunk chunk) {
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
      chunkAt(i).place = i;
    }
  }

  /** Takes a run from the oldest chunk that has one, or returns null. */
  Run.@Nullable Pages take(int pages, SlotGroup group) {
    for (int i = 0; i < size; i++) {
      if (longestMayBe[i] >= pages) {
        Chunk chunk = chunkAt(i);
        searches++;
        Run.Pages run = chunk.take(pages, group);
        update(chunk); // also after a search in vain, which has found out how long they are
        if (run != null) {
          return run;
        }
      }
    }
    return null;
  }

  /**
   * Pages, up to {@code most}, of the first run that {@link #take} finds for {@code least}; or 0.
   */
  int roomFor(int least, int most) {
    for (int i = 0; i < size; i++) {
      if (longestMayBe[i] >= least) {
        Chunk chunk = chunkAt(i);
        searches++;
        int room = chunk.roomFor(least, most);
        update(chunk);
        if (room != 0) {
          return room;
        }
      }
    }
    return 0;
  }

  /** Notes what may be free after a run has come back, or went otherwise. */
  void update(Chunk chunk) {
    longestMayBe[chunk.place] = chunk.longestMayBe();
  }

  private Chunk chunkAt(int place) {
    Chunk chunk = chunks[place];
    if (chunk == null) {
      throw new AssertionError("no chunk at " + place + " of " + size);
    }
    return chunk;
  }
}

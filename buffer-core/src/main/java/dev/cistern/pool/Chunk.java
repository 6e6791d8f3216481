/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import dev.cistern.stats.Band;
import org.jspecify.annotations.Nullable;

/** A region split into pages. Every field but the final ones is guarded by the arena's lock. */
final class Chunk {
  final Arena arena;
  final Region region;
  final int pageBytes;
  final int pages;

  /** By first page: the group whose memory, or part of it, the run is; null for free pages. */
  final @Nullable SlotGroup[] groupAt;

  private final PageBitmap bitmap;

  /** Where it stands among the arena's chunks. */
  int place;

  Band band = Band.QINIT;
  long emptySinceNanos;
  @Nullable Chunk previous;
  @Nullable Chunk next;

  Chunk(Arena arena, Region region, int pageBytes) {
    this.arena = arena;
    this.region = region;
    this.pageBytes = pageBytes;
    this.pages = (int) (region.bytes() / pageBytes);
    this.bitmap = new PageBitmap(pages);
    this.groupAt = new SlotGroup[pages];
  }

  /** Takes a run, or returns null where none of that length is free. */
  Run.@Nullable Pages take(int count, SlotGroup group) {
    int start = bitmap.find(count);
    if (start < 0) {
      return null;
    }
    Run.Pages run = new Run.Pages(this, start, count); // may fail: nothing is taken yet
    bitmap.take(start, count);
    groupAt[start] = group;
    return run;
  }

  /** Pages, up to {@code most}, of the first run of {@code least} or more; 0 where none is free. */
  int roomFor(int least, int most) {
    int start = bitmap.find(least);
    return start < 0 ? 0 : bitmap.freeFrom(start, most);
  }

  void give(Run.Pages run) {
    assert groupAt[run.start] != null && !bitmap.isFree(run.start) : "run is free already";
    groupAt[run.start] = null;
    bitmap.give(run.start, run.count);
  }

  boolean isEmpty() {
    return bitmap.freePages() == pages;
  }

  int freePages() {
    return bitmap.freePages();
  }

  /** No run has more pages than this, though there may be none that has so many. */
  int longestMayBe() {
    return bitmap.longestMayBe();
  }

  boolean isFree(int page) {
    return bitmap.isFree(page);
  }

  /** Percent of pages in use, rounded down, but at least 1 unless the chunk is empty. */
  int usage() {
    int used = pages - bitmap.freePages();
    return used == 0 ? 0 : Math.max(1, (int) (used * 100L / pages));
  }
}

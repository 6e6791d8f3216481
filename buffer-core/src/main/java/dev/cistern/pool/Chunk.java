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

  /**
   * By first page: the group that has the run which begins there; for free pages, a whole run that
   * may be used again, or null.
   */
  private final @Nullable SlotGroup[] groupAt;

  private final PageBitmap bitmap;

  /** Its place among the arena's chunks; negative before it is added. */
  int place = -1;

  private Band band = Band.QINIT;
  long emptySinceNanos = System.nanoTime();

  /** The next chunk of a list of chunks that are freed. */
  @Nullable Chunk next;

  Chunk(Arena arena, Region region, int pageBytes) {
    this.arena = arena;
    this.region = region;
    this.pageBytes = pageBytes;
    this.pages = (int) (region.bytes() / pageBytes);
    this.bitmap = new PageBitmap(pages);
    this.groupAt = new SlotGroup[pages];
  }

  /** Finds a run of free pages; returns null if none of that length is free. */
  Run.@Nullable Pages find(int count) {
    int start = bitmap.find(count);
    return start < 0 ? null : new Run.Pages(this, start, count);
  }

  /** Returns the whole run that had exactly these pages last and may be used again, or null. */
  @Nullable SlotGroup reusable(Run.Pages run, int sizeClass) {
    SlotGroup group = groupAt[run.start];
    return group != null && group.isReusable && group.sizeClass == sizeClass ? group : null;
  }

  /** Takes a run that {@link #find} found. */
  void take(Run.Pages run, SlotGroup group) {
    bitmap.take(run.start, run.count);
    for (int page = run.start; page < run.start + run.count; page++) {
      groupAt[page] = null;
    }
    groupAt[run.start] = group;
  }

  /** Returns whether a group has a run of this chunk. */
  boolean has(Run.Pages run, SlotGroup group) {
    return groupAt[run.start] == group && !bitmap.isFree(run.start);
  }

  /** Frees a run; keeps its group with the pages if that may be used again. */
  void give(Run.Pages run, SlotGroup group) {
    if (!group.isReusable) {
      groupAt[run.start] = null;
    }
    bitmap.give(run.start, run.count);
  }

  /** Returns the group that has the run which begins at a page, or null. */
  @Nullable SlotGroup groupAt(int page) {
    return bitmap.isFree(page) ? null : groupAt[page];
  }

  /**
   * Returns the pages, up to {@code most}, of the first run of {@code least} or more; 0 if there is
   * none.
   */
  int roomFor(int least, int most) {
    int start = bitmap.find(least);
    return start < 0 ? 0 : bitmap.freeFrom(start, most);
  }

  boolean isEmpty() {
    return bitmap.freePages() == pages;
  }

  int freePages() {
    return bitmap.freePages();
  }

  /** Returns a number of pages that no free run exceeds, though there may be none that long. */
  int longestMayBe() {
    return bitmap.longestMayBe();
  }

  boolean isFree(int page) {
    return bitmap.isFree(page);
  }

  /** Returns the usage band; it depends on the band at the last look, because bands overlap. */
  Band band() {
    band = isEmpty() ? Band.QINIT : band.next(usage());
    return band;
  }

  /** Percent of pages in use, rounded down, but at least 1 unless the chunk is empty. */
  int usage() {
    int used = pages - bitmap.freePages();
    return used == 0 ? 0 : Math.max(1, (int) (used * 100L / pages));
  }
}

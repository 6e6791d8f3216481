/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import dev.cistern.stats.UsageBand;
import org.jspecify.annotations.Nullable;

/** A region split into pages. The lock of the arena guards every field that is not final. */
final class Chunk {
  final Arena arena;
  final Region region;
  final int pageBytes;
  final int pages;

  /**
   * The group of the run that starts at each page. For a free page, a whole run that can be reused,
   * or null.
   */
  private final @Nullable SlotGroup[] groupAt;

  private final PageBitmap bitmap;

  /** The place among the arena's chunks; negative before the chunk is added. */
  int place = -1;

  private UsageBand band = UsageBand.QINIT;
  long emptySinceNanos = System.nanoTime();

  /** The next chunk in a list of chunks to free. */
  @Nullable Chunk next;

  Chunk(Arena arena, Region region, int pageBytes) {
    this.arena = arena;
    this.region = region;
    this.pageBytes = pageBytes;
    this.pages = (int) (region.bytes() / pageBytes);
    this.bitmap = new PageBitmap(pages);
    this.groupAt = new SlotGroup[pages];
  }

  /** Finds a run of free pages; returns null if there is none of that length. */
  Run.@Nullable Pages find(int count) {
    int start = bitmap.find(count);
    return start < 0 ? null : new Run.Pages(this, start, count);
  }

  /** Returns the reusable group that had exactly these pages before, or null. */
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

  /** Returns whether a run belongs to a group. */
  boolean has(Run.Pages run, SlotGroup group) {
    return groupAt[run.start] == group && !bitmap.isFree(run.start);
  }

  /** Frees a run. Keeps its group for the same pages if the group can be reused. */
  void give(Run.Pages run, SlotGroup group) {
    if (!group.isReusable) {
      groupAt[run.start] = null;
    }
    bitmap.give(run.start, run.count);
  }

  /** Returns the group of the run that starts at a page, or null. */
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

  /** Returns an upper bound of the pages of a free run. All runs may be shorter. */
  int longestMayBe() {
    return bitmap.longestMayBe();
  }

  boolean isFree(int page) {
    return bitmap.isFree(page);
  }

  /** Returns the usage band. It depends on the last returned band, because bands overlap. */
  UsageBand band() {
    band = isEmpty() ? UsageBand.QINIT : band.next(usage());
    return band;
  }

  /** Returns the percentage of pages in use, rounded down; at least 1 unless the chunk is empty. */
  int usage() {
    int used = pages - bitmap.freePages();
    return used == 0 ? 0 : Math.max(1, (int) (used * 100L / pages));
  }
}

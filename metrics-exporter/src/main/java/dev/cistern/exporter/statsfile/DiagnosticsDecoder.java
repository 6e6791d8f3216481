/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveStack;
import java.util.ArrayList;
import java.util.List;

/** Reads the tables of leaks and live buffers. */
final class DiagnosticsDecoder {
  private final StackDecoder stacks;
  private final boolean withFrames;
  private final Table leaks;
  private final Table accesses;
  private final Table liveStacks;

  DiagnosticsDecoder(Content content, boolean withFrames) throws StatsFileException {
    this.withFrames = withFrames;
    stacks = new StackDecoder(content, withFrames);
    leaks = content.limited("leaks", HeapCost.LEAK);
    accesses = content.limited("accesses", withFrames ? HeapCost.ACCESS : 0);
    liveStacks = content.limited("live_stacks", HeapCost.LIVE_STACK);
  }

  void checkAllRead() throws StatsFileException {
    leaks.checkAllRead("copy");
    if (withFrames) {
      accesses.checkAllRead("leak");
    }
    liveStacks.checkAllRead("copy");
  }

  /** The leaks of a copy. */
  List<LeakEntry> leaks(int copy) throws StatsFileException {
    List<LeakEntry> entries = new ArrayList<>();
    while (leaks.nextOf("copy", copy)) {
      entries.add(
          new LeakEntry(
              leaks.count("found"),
              leaks.count("buffers"),
              leaks.count("bytes"),
              leaks.count("first_seen_millis"),
              leaks.count("last_seen_millis"),
              latest()));
    }
    return entries;
  }

  private LeakRecord latest() throws StatsFileException {
    List<LeakAccess> uses = new ArrayList<>();
    List<LeakAccess> counts = new ArrayList<>();
    while (withFrames && accesses.nextOf("leak", leaks.row())) {
      (accesses.number("is_count") != 0 ? counts : uses).add(access());
    }
    return new LeakRecord(
        leaks.memory(),
        leaks.text("kind"),
        leaks.number("requested_bytes"),
        leaks.number("slot_bytes"),
        leaks.text("thread"),
        leaks.count("allocated_millis"),
        leaks.number("age_millis"),
        stacks.stack(leaks, "stack"),
        uses,
        leaks.number("accesses_dropped"),
        counts,
        leaks.number("counts_dropped"));
  }

  private LeakAccess access() throws StatsFileException {
    return new LeakAccess(
        accesses.text("operation"),
        accesses.text("hint"),
        accesses.text("thread"),
        accesses.number("since_millis"),
        accesses.number("repeats"),
        stacks.stack(accesses, "stack"));
  }

  /** The live stacks of a copy. */
  List<LiveStack> liveStacks(int copy) throws StatsFileException {
    List<LiveStack> live = new ArrayList<>();
    while (liveStacks.nextOf("copy", copy)) {
      live.add(
          new LiveStack(
              liveStacks.memory(),
              stacks.stack(liveStacks, "stack"),
              liveStacks.number("oldest_millis"),
              liveStacks.decimal("lost_bytes"),
              estimate()));
    }
    return live;
  }

  private LiveEstimate estimate() throws StatsFileException {
    List<Double> bytesByAge = new ArrayList<>(Columns.BYTES_BY_AGE.length);
    for (String column : Columns.BYTES_BY_AGE) {
      bytesByAge.add(liveStacks.decimal(column));
    }
    return new LiveEstimate(
        liveStacks.number("samples"),
        liveStacks.decimal("buffers"),
        liveStacks.decimal("buffers_variance"),
        liveStacks.decimal("bytes"),
        liveStacks.decimal("bytes_variance"),
        bytesByAge);
  }
}

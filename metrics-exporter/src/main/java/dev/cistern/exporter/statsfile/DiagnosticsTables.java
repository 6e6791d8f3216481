/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.CopyReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import java.util.List;

/** The tables of leaks and live buffers, with their stacks; what is left out is counted here. */
final class DiagnosticsTables {
  final TableWriter leaks;
  final TableWriter accesses;
  final TableWriter liveStacks;
  final TableWriter stacks;
  final TableWriter frames;
  private final StackTables stackRows;
  private Reduction reduction = Reduction.NONE;
  private long accessesDropped;
  private long liveFramesDropped;
  private long leakFramesDropped;
  private long liveStacksDropped;

  DiagnosticsTables(StringTable strings) {
    leaks = new TableWriter("leaks", strings);
    accesses = new TableWriter("accesses", strings);
    liveStacks = new TableWriter("live_stacks", strings);
    stacks = new TableWriter("stacks", strings);
    frames = new TableWriter("frames", strings);
    stackRows = new StackTables(strings, stacks, frames);
  }

  void clear() {
    stackRows.clear();
    accessesDropped = 0;
    liveFramesDropped = 0;
    leakFramesDropped = 0;
    liveStacksDropped = 0;
  }

  /** From now on, leaves out what {@code by} does. */
  void reduce(Reduction by) {
    reduction = by;
  }

  long rowsDropped() {
    return accessesDropped + liveFramesDropped + leakFramesDropped + liveStacksDropped;
  }

  void describeDropped(TableWriter to) {
    to.row().text("what", "accesses").number("rows", accessesDropped);
    to.row().text("what", "frames of live_stacks").number("rows", liveFramesDropped);
    to.row().text("what", "frames of leaks").number("rows", leakFramesDropped);
    to.row().text("what", "live_stacks").number("rows", liveStacksDropped);
  }

  /** Adds what a copy tells once to its row. */
  void describe(CopyReport copy, TableWriter to) {
    LeakReport known = copy.leaks();
    LiveReport live = copy.live();
    to.text("leak_level", known.level())
        .number("leaks_dropped", known.dropped())
        .number("leaks_dropped_bytes", known.droppedBytes())
        .number("watched", known.watched())
        .number("not_watched", known.notWatched())
        .number("without_stack", known.withoutStack())
        .number("watch_failures", known.failures())
        .number("live_time_millis", live.timeMillis())
        .number("live_interval_bytes", live.intervalBytes())
        .number("trends_dropped", live.trendsDropped());
  }

  void add(CopyReport copy, int row) {
    for (LeakEntry leak : copy.leaks().entries()) {
      add(leak, row); // always: what they count must not run backwards
    }
    for (LiveStack live : copy.live().stacks()) {
      if (reduction.keeps(live)) {
        add(live, row);
      } else {
        liveStacksDropped++;
      }
    }
  }

  private static int accesses(LeakEntry leak) {
    return leak.latest().accesses().size() + leak.latest().counts().size();
  }

  private void add(LeakEntry leak, int copy) {
    LeakRecord latest = leak.latest();
    int row = leaks.rows();
    int stack = stack(leak);
    leaks
        .row()
        .number("copy", copy)
        .number("found", leak.found())
        .number("buffers", leak.buffers())
        .number("bytes", leak.bytes())
        .number("first_seen_millis", leak.firstSeenMillis())
        .number("last_seen_millis", leak.lastSeenMillis())
        .text("memory", latest.memory())
        .text("kind", reduction.keepsNames() ? latest.kind() : "")
        .number("requested_bytes", latest.requestedBytes())
        .number("slot_bytes", latest.slotBytes())
        .text("thread", reduction.keepsNames() ? latest.thread() : "")
        .number("allocated_millis", latest.allocatedMillis())
        .number("age_millis", latest.ageMillis())
        .number("stack", stack);
    if (reduction.keepsAccesses()) {
      addCounts(latest.accessesDropped(), latest.countsDropped());
      add(latest.accesses(), row, 0);
      add(latest.counts(), row, 1);
    } else {
      accessesDropped += accesses(leak);
      addCounts(
          latest.accessesDropped() + latest.accesses().size(),
          latest.countsDropped() + latest.counts().size());
    }
  }

  private void addCounts(long earlierAccesses, long earlierCounts) {
    leaks.number("accesses_dropped", earlierAccesses).number("counts_dropped", earlierCounts);
  }

  private int stack(LeakEntry leak) {
    if (reduction.keepsFrames(leak)) {
      return stackRows.reference(leak.stack());
    }
    leakFramesDropped++;
    return stackRows.referenceToSite(leak.stack());
  }

  private void add(List<LeakAccess> of, int leak, int isCount) {
    for (LeakAccess access : of) {
      int stack = stackRows.reference(access.stack());
      accesses
          .row()
          .number("leak", leak)
          .number("is_count", isCount)
          .text("operation", access.operation())
          .text("hint", access.hint())
          .text("thread", access.thread())
          .number("since_millis", access.sinceMillis())
          .number("repeats", access.repeats())
          .number("stack", stack);
    }
  }

  private void add(LiveStack live, int copy) {
    LiveEstimate estimate = live.live();
    int stack = stack(live);
    liveStacks
        .row()
        .number("copy", copy)
        .text("memory", live.memory())
        .number("stack", stack)
        .number("oldest_millis", live.oldestMillis())
        .decimal("lost_bytes", live.lostBytes())
        .number("samples", estimate.samples())
        .decimal("buffers", estimate.buffers())
        .decimal("buffers_variance", estimate.buffersVariance())
        .decimal("bytes", estimate.bytes())
        .decimal("bytes_variance", estimate.bytesVariance());
    for (int age = 0; age < Columns.BYTES_BY_AGE.length; age++) {
      liveStacks.decimal(Columns.BYTES_BY_AGE[age], estimate.bytesByAge().get(age));
    }
  }

  private int stack(LiveStack live) {
    CallStack stack = live.stack();
    if (reduction.keepsFrames(live)) {
      return stackRows.reference(stack);
    }
    liveFramesDropped++;
    return stackRows.referenceToSite(stack);
  }
}

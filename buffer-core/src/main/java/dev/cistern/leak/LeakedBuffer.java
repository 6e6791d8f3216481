/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.trace.AccessRecord;
import dev.cistern.trace.AccessTrail;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A leak that the store keeps. Its stacks are in the table, because a throwable's stack holds
 * classes, and with them class loaders of applications that have ended.
 *
 * @param site the site of its stack, even if the stack is not kept
 */
record LeakedBuffer(
    Sample sample,
    String thread,
    long allocatedMillis,
    long ageMillis,
    StackTable table,
    String site,
    StackTable.@Nullable Stack stack,
    List<Access> accesses,
    long accessesDropped,
    List<Access> counts,
    long countsDropped) {
  private static final int MAX_HINT_CHARS = 256;

  /** A kept access. */
  private record Access(
      String operation,
      String hint,
      String thread,
      long sinceMillis,
      long repeats,
      StackTable.@Nullable Stack stack) {
    /**
     * Returns whether the access changes the reference count, by its method, because Netty's
     * wrapper has no flag.
     */
    boolean isCount() {
      return operation.equals("retain") || operation.equals("release");
    }

    LeakAccess show() {
      return new LeakAccess(
          operation,
          hint,
          thread,
          sinceMillis,
          repeats,
          stack == null ? CallStack.NONE : stack.show(StackDetail.FRAMES));
    }
  }

  /** Returns the leak of a tracker, and retains the stacks. */
  static LeakedBuffer of(
      LeakTracker<?> tracker, StackTable.@Nullable Stack stack, Moment now, StackTable table) {
    AccessTrail accesses = tracker.accesses();
    AccessTrail counts = tracker.counts();
    List<Access> kept = keep(accesses, tracker, table);
    List<Access> keptCounts = new ArrayList<>(keep(counts, tracker, table));
    kept.stream().filter(Access::isCount).forEach(keptCounts::add);
    return new LeakedBuffer(
        tracker.sample(),
        tracker.thread(),
        now.millis(tracker.bornNanos()),
        now.ageMillis(tracker.bornNanos()),
        table,
        site(stack),
        table.retain(stack),
        kept.stream().filter(access -> !access.isCount()).toList(),
        dropped(accesses),
        List.copyOf(keptCounts),
        dropped(counts));
  }

  /** Returns the leak of a tracker as {@link #of} does, with the site and without stacks. */
  static LeakedBuffer ofSite(
      LeakTracker<?> tracker, StackTable.@Nullable Stack stack, Moment now, StackTable table) {
    return new LeakedBuffer(
        tracker.sample(),
        tracker.thread(),
        now.millis(tracker.bornNanos()),
        now.ageMillis(tracker.bornNanos()),
        table,
        site(stack),
        null,
        List.of(),
        total(tracker.accesses()),
        List.of(),
        total(tracker.counts()));
  }

  /** Returns the site of a stack. */
  static String site(StackTable.@Nullable Stack stack) {
    return stack == null ? CallStack.UNKNOWN : stack.site();
  }

  private static long total(@Nullable AccessTrail trail) {
    return trail == null ? 0 : trail.total();
  }

  private static long dropped(@Nullable AccessTrail trail) {
    if (trail == null) {
      return 0;
    }
    long shown = trail.records().stream().mapToLong(access -> 1L + access.repeats()).sum();
    return Math.max(0, trail.total() - shown);
  }

  private static List<Access> keep(
      @Nullable AccessTrail trail, LeakTracker<?> tracker, StackTable table) {
    List<Access> kept = new ArrayList<>();
    if (trail != null) {
      for (AccessRecord access : trail.records()) {
        StackTable.Stack stack = table.intern(access);
        kept.add(
            new Access(
                SiteFinder.operation(access.getStackTrace()),
                cut(access.hint()),
                access.threadName(),
                TimeUnit.NANOSECONDS.toMillis(access.nanos() - tracker.bornNanos()),
                access.repeats(),
                table.keep(stack)));
        table.release(stack);
      }
    }
    return List.copyOf(kept);
  }

  private static String cut(@Nullable String hint) {
    if (hint == null) {
      return "";
    }
    return hint.length() <= MAX_HINT_CHARS ? hint : hint.substring(0, MAX_HINT_CHARS) + "...";
  }

  /** Releases the stacks. */
  void releaseStacks() {
    table.release(stack);
    accesses.forEach(access -> table.releaseKept(access.stack));
    counts.forEach(access -> table.releaseKept(access.stack));
  }

  /** Releases the stacks, and returns the leak without them. */
  LeakedBuffer withoutStacks() {
    releaseStacks();
    return new LeakedBuffer(
        sample,
        thread,
        allocatedMillis,
        ageMillis,
        table,
        site,
        null,
        List.of(),
        accessesDropped + accesses.size(),
        List.of(),
        countsDropped + counts.size());
  }

  LeakRecord show(StackDetail detail) {
    boolean hasUses = detail == StackDetail.FRAMES;
    return new LeakRecord(
        sample.memory(),
        sample.kind(),
        sample.requestedBytes(),
        sample.slotBytes(),
        thread,
        allocatedMillis,
        ageMillis,
        stack == null ? new CallStack(site, List.of(), 0, 0) : stack.show(detail),
        hasUses ? accesses.stream().map(Access::show).toList() : List.of(),
        hasUses ? accessesDropped : accessesDropped + accesses.size(),
        hasUses ? counts.stream().map(Access::show).toList() : List.of(),
        hasUses ? countsDropped : countsDropped + counts.size());
  }
}

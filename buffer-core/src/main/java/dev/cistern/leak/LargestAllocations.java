/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LargestAllocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The largest single allocations since start and in the last hour, with one entry for each site and
 * kind of memory. It keeps the names of sites and no stacks.
 *
 * <p>The last hour consists of buckets of ten minutes. An entry leaves the report after an hour. A
 * smaller allocation of the same site and bucket is not kept. So the site may be missing for up to
 * ten minutes before its next bucket.
 *
 * <p>A lookup of a site costs more than a sample. So a candidate waits with its stack for the
 * detector's thread or for a report. The number of candidates is limited. Half of the places are
 * for sizes that no entry or candidate has, so that a frequent site does not hide other sites. A
 * candidate that exceeds all of them replaces the smallest. Thread-safe.
 */
final class LargestAllocations {
  /** The size from which an allocation counts, in bytes. */
  static final int MIN_BYTES = 1 << 20;

  /** Limit of entries for each kind of memory and span. */
  static final int MAX_SITES = 8;

  static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final long BUCKET_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int BUCKETS = (int) (HOUR_NANOS / BUCKET_NANOS) + 1;

  /** Limit of candidates that wait, with up to some kilobytes of stack each. */
  static final int MAX_WAITING = 32;

  private static final Comparator<Entry> LARGEST_FIRST =
      Comparator.comparingInt(Entry::bytes).reversed().thenComparing(Entry::site);

  private record Entry(String site, String thread, int bytes, long nanos) {}

  /** An allocation that waits for the lookup of its site. */
  static final class Candidate {
    final LeakTracker<?> tracker;
    final String memory;
    final int bytes;
    final long nanos;

    /** A throwable, a stack of the table that is retained for this object, or null for none. */
    final @Nullable Object stack;

    Candidate(
        LeakTracker<?> tracker, String memory, int bytes, long nanos, @Nullable Object stack) {
      this.tracker = tracker;
      this.memory = memory;
      this.bytes = bytes;
      this.nanos = nanos;
      this.stack = stack;
    }
  }

  /** Entries by site, up to the limit. */
  private static final class Table {
    private final Map<String, Entry> entries = new HashMap<>();

    boolean canEnter(int bytes) {
      return entries.size() < MAX_SITES || bytes > smallest().bytes;
    }

    private Entry smallest() {
      Entry smallest = null;
      for (Entry entry : entries.values()) {
        if (smallest == null || entry.bytes < smallest.bytes) {
          smallest = entry;
        }
      }
      if (smallest == null) {
        throw new IllegalStateException("the table is empty");
      }
      return smallest;
    }

    boolean hasAsLarge(int bytes) {
      return entries.values().stream().anyMatch(entry -> entry.bytes >= bytes);
    }

    boolean has(int bytes) {
      return entries.values().stream().anyMatch(entry -> entry.bytes == bytes);
    }

    void add(Entry entry) {
      Entry known = entries.get(entry.site);
      if (known == null && !canEnter(entry.bytes)) {
        return;
      }
      if (known == null && entries.size() >= MAX_SITES) {
        entries.remove(smallest().site);
      }
      if (known == null || entry.bytes > known.bytes) {
        entries.put(entry.site, entry);
      }
    }
  }

  /** The entries of one kind of memory. */
  private static final class Kind {
    final String memory;
    final Table sinceStart = new Table();

    /**
     * The buckets of the last hour, as a ring. A bucket is cleared when its place is used again.
     */
    final Table[] buckets = new Table[BUCKETS];

    final long[] bucketNumbers = new long[BUCKETS];

    Kind(String memory) {
      this.memory = memory;
      for (int i = 0; i < BUCKETS; i++) {
        buckets[i] = new Table();
      }
    }

    Table bucket(long nanos) {
      long number = Math.floorDiv(nanos, BUCKET_NANOS);
      int place = Math.floorMod(number, BUCKETS);
      if (bucketNumbers[place] != number) {
        buckets[place].entries.clear();
        bucketNumbers[place] = number;
      }
      return buckets[place];
    }

    void show(Moment now, List<LargestAllocation> to) {
      show(sinceStart.entries.values(), now, false, to);
      Table lastHour = new Table();
      for (Table bucket : buckets) {
        for (Entry entry : bucket.entries.values()) {
          if (now.nanos() - entry.nanos < HOUR_NANOS) {
            lastHour.add(entry);
          }
        }
      }
      show(lastHour.entries.values(), now, true, to);
    }

    private void show(
        Collection<Entry> entries, Moment now, boolean isOfLastHour, List<LargestAllocation> to) {
      List<Entry> sorted = new ArrayList<>(entries);
      sorted.sort(LARGEST_FIRST);
      for (Entry entry : sorted) {
        to.add(
            new LargestAllocation(
                memory,
                entry.site,
                entry.thread,
                entry.bytes,
                now.millis(entry.nanos),
                isOfLastHour));
      }
    }
  }

  // Guarded by this object's lock.
  private final Kind direct = new Kind("direct");
  private final Kind heap = new Kind("heap");
  private final ArrayDeque<Candidate> waiting = new ArrayDeque<>();

  private Kind kind(String memory) {
    return memory.equals("direct") ? direct : heap;
  }

  /** Adds the allocation of a new tracker if it is one of the largest. Throws nothing. */
  void addNew(LeakTracker<?> tracker, CapturedStacks stacks) {
    Sample sample = tracker.sample();
    if (sample.requestedBytes() >= MIN_BYTES && !sample.isContinued()) {
      add(tracker, true, tracker.bornNanos(), stacks);
    }
  }

  /** Adds a buffer that may have grown, if it is one of the largest. Throws nothing. */
  void addGrown(LeakTracker<?> tracker, int bytesBefore, long nowNanos, CapturedStacks stacks) {
    int bytes = tracker.sample().requestedBytes();
    if (bytes > bytesBefore && bytes >= MIN_BYTES) {
      add(tracker, false, nowNanos, stacks);
    }
  }

  private void add(LeakTracker<?> tracker, boolean isNew, long nowNanos, CapturedStacks stacks) {
    Sample sample = tracker.sample();
    if (sample.kind().equals(Sample.COMPOSITE)) {
      return; // it has no memory itself
    }
    try {
      int bytes = sample.requestedBytes();
      if (mayEnter(sample.memory(), bytes, nowNanos)) {
        Object stack = stacks.retain(tracker);
        if (stack == null && isNew) {
          stack = new CapturedStacks.Mark();
        }
        Candidate replaced = add(new Candidate(tracker, sample.memory(), bytes, nowNanos, stack));
        if (replaced != null) {
          stacks.release(replaced.stack);
        }
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Looks up the sites of the candidates. */
  void lookUpWaiting(CapturedStacks stacks) {
    Candidate next;
    while ((next = poll()) != null) {
      StackTable.Stack stack = stacks.lookUp(next.stack, next.tracker);
      try {
        add(next, LeakedBuffer.site(stack));
      } finally {
        stacks.release(stack);
      }
    }
  }

  /**
   * Returns whether an allocation can become a candidate.
   *
   * @param bytes the requested bytes, from {@link #MIN_BYTES}
   */
  synchronized boolean mayEnter(String memory, int bytes, long nowNanos) {
    Kind kind = kind(memory);
    Table bucket = kind.bucket(nowNanos);
    if (!bucket.canEnter(bytes) && !kind.sinceStart.canEnter(bytes)) {
      return false;
    }
    boolean isKnown = bucket.has(bytes);
    boolean isLargest = !bucket.hasAsLarge(bytes);
    for (Candidate other : waiting) {
      if (other.memory.equals(memory)) {
        isKnown |= other.bytes == bytes;
        isLargest &= other.bytes < bytes;
      }
    }
    return isLargest || waiting.size() < (isKnown ? MAX_WAITING / 2 : MAX_WAITING);
  }

  /**
   * Adds a candidate.
   *
   * @return the candidate that it replaces, whose stack the caller releases, or null
   */
  synchronized @Nullable Candidate add(Candidate candidate) {
    Candidate replaced = null;
    if (waiting.size() >= MAX_WAITING) {
      replaced = Collections.min(waiting, Comparator.comparingInt(other -> other.bytes));
      waiting.remove(replaced);
    }
    waiting.add(candidate);
    return replaced;
  }

  /** Returns and removes a candidate whose site the caller looks up, or null. */
  synchronized @Nullable Candidate poll() {
    return waiting.poll();
  }

  synchronized boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Adds the allocation of a candidate, unless its site or enough other sites have larger ones. */
  private synchronized void add(Candidate candidate, String site) {
    Kind kind = kind(candidate.memory);
    Entry entry = new Entry(site, candidate.tracker.thread(), candidate.bytes, candidate.nanos);
    kind.sinceStart.add(entry);
    kind.bucket(candidate.nanos).add(entry);
  }

  /** Returns the entries in the order of {@link dev.cistern.leak.report.LiveDetail}. */
  synchronized List<LargestAllocation> show(Moment now) {
    List<LargestAllocation> shown = new ArrayList<>();
    direct.show(now, shown);
    heap.show(now, shown);
    return shown;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Leaks by allocation stack, bounded: a leak with a stack that is known only raises that entry's
 * counts; one with a new stack that finds no place is counted as dropped. Entries never leave, so
 * that counts never go back.
 */
public final class LeakStore {
  /** Entries kept by default. */
  public static final int DEFAULT_MAX_ENTRIES = 512;

  private final int maxEntries;
  private final LeakLog log;
  private final LongSupplier clockMillis;

  /** Guarded by this object's lock, which only pollers and reports take. */
  private final Map<Key, Counts> counts = new LinkedHashMap<>();

  private long dropped;
  private long droppedBytes;

  /**
   * @param maxEntries different stacks kept
   * @param errorLine takes one readable line for each new stack, at most ten in a minute; what it
   *     throws is ignored
   * @throws IllegalArgumentException if {@code maxEntries} is below 1
   */
  public LeakStore(int maxEntries, Consumer<String> errorLine) {
    this(maxEntries, errorLine, System::currentTimeMillis);
  }

  LeakStore(int maxEntries, Consumer<String> errorLine, LongSupplier clockMillis) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries: " + maxEntries + " (expected: >= 1)");
    }
    this.maxEntries = maxEntries;
    this.log = new LeakLog(errorLine);
    this.clockMillis = clockMillis;
  }

  void add(String pool, LeakTracker tracker, AllocationStack stack) {
    long now = clockMillis.getAsLong();
    LeakEntry fresh = null;
    synchronized (this) {
      Key key = new Key(pool, tracker.memory(), stack.frames());
      Counts known = counts.get(key);
      if (known == null && counts.size() >= maxEntries) {
        dropped++;
        droppedBytes += tracker.weightBytes();
        return;
      }
      if (known == null) {
        known = new Counts(stack, now);
        counts.put(key, known);
        known.add(tracker, now);
        fresh = known.entry(key);
      } else {
        known.add(tracker, now);
      }
    }
    if (fresh != null) {
      log.newEntry(fresh, now);
    }
  }

  /** Returns a copy of all entries, in the order in which their stacks were first seen. */
  public synchronized List<LeakEntry> entries() {
    List<LeakEntry> entries = new ArrayList<>(counts.size());
    counts.forEach((key, known) -> entries.add(known.entry(key)));
    return entries;
  }

  /** Returns the number of leaks that found no place. */
  public synchronized long dropped() {
    return dropped;
  }

  /** Returns the estimated bytes of the leaks that found no place. */
  public synchronized long droppedBytes() {
    return droppedBytes;
  }

  private record Key(String pool, String memory, List<StackTraceElement> frames) {}

  /** The counts of one entry; guarded by the store's lock. */
  private static final class Counts {
    private final String site;
    private final List<String> stack;
    private final int cutFrames;
    private final long firstSeenMillis;
    private long lastSeenMillis;
    private String thread = "";
    private long sampled;
    private double buffers;
    private long bytes;

    Counts(AllocationStack stack, long firstSeenMillis) {
      this.site = stack.site();
      this.stack = stack.lines();
      this.cutFrames = stack.cutFrames();
      this.firstSeenMillis = firstSeenMillis;
    }

    void add(LeakTracker tracker, long nowMillis) {
      sampled++;
      buffers +=
          Math.max(1.0, (double) tracker.weightBytes() / Math.max(1, tracker.capacityBytes()));
      bytes += tracker.weightBytes();
      thread = tracker.thread();
      lastSeenMillis = Math.max(lastSeenMillis, nowMillis);
    }

    LeakEntry entry(Key key) {
      return new LeakEntry(
          key.pool(),
          key.memory(),
          site,
          stack,
          cutFrames,
          thread,
          sampled,
          Math.round(buffers),
          bytes,
          firstSeenMillis,
          lastSeenMillis);
    }
  }
}

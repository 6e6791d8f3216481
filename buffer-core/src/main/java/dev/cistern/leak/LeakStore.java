/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leaks by allocation stack, bounded: a leak with a stack that is known only raises that entry's
 * counts, and is kept as its latest; one with a new stack that finds no place is counted as
 * dropped. Entries never leave, so that counts never go back.
 */
public final class LeakStore {
  /** Entries kept by default. */
  public static final int DEFAULT_MAX_ENTRIES = 512;

  private final int maxEntries;
  private final LeakLog log;
  private final Consumer<Supplier<LeakRecord>> listener;

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
    this(maxEntries, errorLine, leak -> {});
  }

  /**
   * As {@link #LeakStore(int, Consumer)}.
   *
   * @param listener is given each leak that found a place; what it throws is ignored
   */
  public LeakStore(
      int maxEntries, Consumer<String> errorLine, Consumer<Supplier<LeakRecord>> listener) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries: " + maxEntries + " (expected: >= 1)");
    }
    this.maxEntries = maxEntries;
    this.log = new LeakLog(errorLine);
    this.listener = listener;
  }

  /** Takes a leak over from its detector, whose table the stacks are in. */
  void add(
      String pool,
      LeakTracker<?> tracker,
      StackTable.@Nullable Stack stack,
      Moment now,
      StackTable table) {
    LeakEntry fresh = null;
    LeakedBuffer leaked;
    synchronized (this) {
      Key key = new Key(pool, tracker.sample().memory(), stack);
      Counts known = counts.get(key);
      if (known == null && counts.size() >= maxEntries) {
        dropped++;
        droppedBytes += tracker.sample().leakBytes();
        return;
      }
      leaked = LeakedBuffer.of(tracker, stack, now, table);
      if (known == null) {
        known = new Counts(leaked, now.millis());
        counts.put(key, known);
        known.add(tracker.sample(), now.millis());
        fresh = known.entry(StackDetail.FRAMES);
      } else {
        known.latest.forget(table);
        known.latest = leaked;
        known.add(tracker.sample(), now.millis());
      }
    }
    if (fresh != null) {
      log.newEntry(pool, fresh, now.millis());
    }
    tell(leaked);
  }

  private void tell(LeakedBuffer leaked) {
    try {
      listener.accept(() -> leaked.show(StackDetail.FRAMES));
    } catch (RuntimeException | LinkageError e) {
      // The listener's own affair: the entry is in the store all the same.
    }
  }

  /** Returns a copy of all entries, in the order in which their stacks were first seen. */
  public List<LeakEntry> entries() {
    return entries(StackDetail.FRAMES);
  }

  /** As {@link #entries()}, with as much of their stacks as is wanted. */
  public synchronized List<LeakEntry> entries(StackDetail detail) {
    Collection<Counts> shown = detail == StackDetail.SITE ? bySite() : counts.values();
    List<LeakEntry> entries = new ArrayList<>(shown.size());
    shown.forEach(known -> entries.add(known.entry(detail)));
    return entries;
  }

  private Collection<Counts> bySite() {
    Map<Key, Counts> sites = new LinkedHashMap<>();
    FirstOfSite first = new FirstOfSite();
    counts.forEach(
        (key, known) ->
            sites
                .computeIfAbsent(
                    new Key(key.pool, key.memory, first.of(key.stack)),
                    site -> new Counts(known.latest, known.firstSeenMillis))
                .add(known));
    return sites.values();
  }

  /** Returns the number of leaks that found no place. */
  public synchronized long dropped() {
    return dropped;
  }

  /** Returns the estimated bytes of the leaks that found no place. */
  public synchronized long droppedBytes() {
    return droppedBytes;
  }

  /** Stacks are compared by identity: their table keeps each once. */
  private record Key(String pool, String memory, StackTable.@Nullable Stack stack) {
    // by hand, as in all keys here: what the compiler makes would pin the class loader (JDK 17)
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key
          && stack == key.stack
          && pool.equals(key.pool)
          && memory.equals(key.memory);
    }

    @Override
    public int hashCode() {
      return (System.identityHashCode(stack) * 31 + pool.hashCode()) * 31 + memory.hashCode();
    }
  }

  /** The counts of one entry; guarded by the store's lock. */
  private static final class Counts {
    private long firstSeenMillis;
    private LeakedBuffer latest;
    private long lastSeenMillis;
    private long found;
    private double buffers;
    private long bytes;

    Counts(LeakedBuffer latest, long firstSeenMillis) {
      this.latest = latest;
      this.firstSeenMillis = firstSeenMillis;
    }

    void add(Sample sample, long nowMillis) {
      found++;
      if (sample.leakBytes() > 0) {
        buffers +=
            Math.max(1.0, (double) sample.leakBytes() / Math.max(1, sample.requestedBytes()));
      }
      bytes += sample.leakBytes();
      lastSeenMillis = Math.max(lastSeenMillis, nowMillis);
    }

    void add(Counts other) {
      found += other.found;
      buffers += other.buffers;
      bytes += other.bytes;
      firstSeenMillis = Math.min(firstSeenMillis, other.firstSeenMillis);
      if (other.lastSeenMillis > lastSeenMillis) {
        lastSeenMillis = other.lastSeenMillis;
        latest = other.latest;
      }
    }

    LeakEntry entry(StackDetail detail) {
      return new LeakEntry(
          found,
          Math.max(found, Math.round(buffers)),
          bytes,
          firstSeenMillis,
          lastSeenMillis,
          latest.show(detail));
    }
  }
}

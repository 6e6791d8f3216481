/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of leaks by site and allocation stack, up to a limit.
 *
 * <p>Each leak is counted once: in the entry of its stack; in the rest of its site, if its stack is
 * not kept; or in the remainder of its kind of memory, if its site is not kept. The store keeps the
 * sites and the stacks with the most bytes: {@link LargestKept} has the rule and its guarantee. The
 * first stack of a site replaces the smallest stack of a site with several stacks, so that nearly
 * every kept site shows a stack.
 *
 * <p>Counts move only from a stack to the rest of its site, and from a site to the remainder. So
 * the counts of a site never decrease while it is kept, those of the remainder never decrease, and
 * the sum of all is exact.
 */
public final class LeakStore {
  /** Default limit of sites, and of stacks. */
  public static final int DEFAULT_MAX_ENTRIES = 512;

  private final LeakLog log;
  private final Consumer<Supplier<LeakRecord>> listener;

  // Guarded by this object's lock, which only pollers and reports take.
  private final LargestKept<Key, LeakedSite> sites;
  private final LargestKept<Key, LeakedStack> stacks;
  private final SiteRanking ranking = new SiteRanking();

  /** Remainders by kind of memory. */
  private final Map<String, LeakCounts> others = new TreeMap<>();

  /**
   * @param maxEntries limit of sites, and of stacks
   * @param errorLine receives one readable line for each new stack, up to ten in a minute; its
   *     exceptions are ignored
   * @throws IllegalArgumentException if {@code maxEntries} is below 1
   */
  public LeakStore(int maxEntries, Consumer<String> errorLine) {
    this(maxEntries, errorLine, leak -> {});
  }

  /**
   * Creates a store with a listener.
   *
   * @param listener receives each leak whose stack is kept; its exceptions are ignored
   */
  public LeakStore(
      int maxEntries, Consumer<String> errorLine, Consumer<Supplier<LeakRecord>> listener) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries: " + maxEntries + " (expected: >= 1)");
    }
    this.sites = new LargestKept<>(maxEntries);
    this.stacks = new LargestKept<>(maxEntries);
    this.log = new LeakLog(errorLine);
    this.listener = listener;
  }

  /**
   * Adds a leak.
   *
   * @param table the table of the detector's stacks
   */
  void add(
      String pool,
      LeakTracker<?> tracker,
      StackTable.@Nullable Stack stack,
      Moment now,
      StackTable table) {
    LeakedBuffer leaked;
    List<LeakEntry> fresh = new ArrayList<>();
    synchronized (this) {
      Sample sample = tracker.sample();
      LeakedSite site = site(sample, LeakedBuffer.site(stack));
      LeakedStack kept = site == null ? null : stack(site, sample, stack);
      if (kept == null) {
        LeakCounts counts = site == null ? others(sample.memory()) : site.rest;
        counts.add(LeakedBuffer.ofSite(tracker, stack, now, table), now.millis());
        leaked = null;
      } else {
        boolean isFresh = kept.counts.isEmpty();
        leaked = LeakedBuffer.of(tracker, stack, now, table);
        kept.counts.add(leaked, now.millis());
        if (isFresh) {
          kept.counts.show(StackDetail.FRAMES, fresh::add);
        }
      }
      if (site != null) {
        // last, because a reader subtracts the counts of places from those of all sites
        ranking.add(site, sample.leakBytes());
      }
    }
    fresh.forEach(entry -> log.newEntry(pool, entry, now.millis()));
    if (leaked != null) {
      notifyListener(leaked);
    }
  }

  private @Nullable LeakedSite site(Sample sample, String name) {
    String memory = sample.memory();
    return sites.add(
        new Key(memory, name),
        sample.leakBytes(),
        false,
        () -> new LeakedSite(memory, name),
        this::moveToRemainder);
  }

  private @Nullable LeakedStack stack(
      LeakedSite site, Sample sample, StackTable.@Nullable Stack stack) {
    return stacks.add(
        new Key(sample.memory(), stack == null ? CallStack.UNKNOWN : stack.key()),
        sample.leakBytes(),
        site.stacks == 0,
        () -> new LeakedStack(site),
        LeakedStack::moveToRest);
  }

  private void moveToRemainder(LeakedSite site) {
    stacks.removeIf(
        stack -> {
          boolean isOfSite = stack.site == site;
          if (isOfSite) {
            stack.moveToRest();
          }
          return isOfSite;
        });
    others(site.memory).add(site.rest);
    ranking.remove(site);
  }

  private LeakCounts others(String memory) {
    return others.computeIfAbsent(memory, kind -> new LeakCounts());
  }

  private void notifyListener(LeakedBuffer leaked) {
    try {
      listener.accept(() -> leaked.show(StackDetail.FRAMES));
    } catch (RuntimeException | LinkageError e) {
      // the listener failed: the entry is in the store
    }
  }

  /** Returns a copy of all entries, as in {@link LeakReport#entries()}. */
  public synchronized List<LeakEntry> entries() {
    return entries(StackDetail.FRAMES);
  }

  private List<LeakEntry> entries(StackDetail detail) {
    List<LeakEntry> entries = new ArrayList<>();
    if (detail == StackDetail.FRAMES) {
      stacks.values().forEach(stack -> stack.counts.show(detail, entries::add));
      sites.values().forEach(site -> site.rest.show(detail, entries::add));
      return entries;
    }
    Map<LeakedSite, LeakCounts> sums = new LinkedHashMap<>();
    stacks.values().forEach(stack -> addCopy(sums, stack.site, stack.counts));
    sites.values().forEach(site -> addCopy(sums, site, site.rest));
    sums.values().forEach(sum -> sum.show(detail, entries::add));
    return entries;
  }

  private static void addCopy(
      Map<LeakedSite, LeakCounts> sums, LeakedSite site, LeakCounts counts) {
    sums.computeIfAbsent(site, key -> new LeakCounts()).addCopy(counts);
  }

  /** Returns a report with the counts of the detector. */
  synchronized LeakReport report(
      String level,
      StackDetail detail,
      long watched,
      long notWatched,
      long withoutStack,
      long failures) {
    List<LeakEntry> remainder = new ArrayList<>();
    others.values().forEach(counts -> counts.show(detail, remainder::add));
    return new LeakReport(
        level,
        entries(detail),
        remainder,
        ranking.show(),
        watched,
        notWatched,
        withoutStack,
        failures);
  }

  /**
   * A site or a stack, of one kind of memory.
   *
   * @param name the name of the site, or the frames of the stack
   */
  private record Key(String memory, Object name) {
    // written by hand in all keys here: the generated method would pin the class loader (JDK 17)
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && memory.equals(key.memory) && name.equals(key.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode() * 31 + memory.hashCode();
    }
  }

  /** A kept stack. Guarded by the store's lock. */
  private static final class LeakedStack extends LargestKept.Kept {
    private final LeakedSite site;
    private final LeakCounts counts = new LeakCounts();

    LeakedStack(LeakedSite site) {
      this.site = site;
      site.stacks++;
    }

    @Override
    boolean isReplacedLast() {
      return site.stacks == 1;
    }

    void moveToRest() {
      site.stacks--;
      site.rest.add(counts);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.leak.report.StackDetail;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The leak detector of one pool. It tracks sampled buffers, and reports live buffers by site and
 * age, and buffers that were garbage collected without a release.
 *
 * <p>The caller selects the samples, calls {@link #tick} about once a second, and provides the
 * store of leaks. A report needs no further allocation of the application. Thread-safe.
 */
public final class LeakDetector {
  /** Default limit of watched samples: at one sample per 512 KiB, 8 GiB in live buffers. */
  public static final int DEFAULT_MAX_WATCHED = 16_384;

  /** Default of {@link Options#burstNanos()}. */
  public static final long DEFAULT_BURST_NANOS = 500;

  /** Limit of the calls of {@code retain} and {@code release} that are kept of a buffer. */
  static final int MAX_COUNTS = 8;

  /** Limit of the time for lookups of stacks in each tick: half a percent of a processor. */
  private static final long MAX_LOOKUP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The part of this time for the allocation profile, which the tick looks up first. */
  private static final long MAX_ALLOCATION_LOOKUP_NANOS = MAX_LOOKUP_NANOS / 4;

  private final String pool;
  private final LeakStore store;
  private final Options options;
  private final StackTable table;
  private final CapturedStacks stacks;
  private final BufferSearch buffers;
  private final AllocationProfile allocations;
  private final LargestAllocations largest = new LargestAllocations();
  private final LivePeak directPeak = new LivePeak(System.nanoTime());
  private final LivePeak heapPeak = new LivePeak(System.nanoTime());
  private final LifetimeCounters directLifetimes = new LifetimeCounters("direct");
  private final LifetimeCounters heapLifetimes = new LifetimeCounters("heap");

  /**
   * The open trackers. The set keeps them reachable; otherwise the garbage collector would take a
   * tracker with its buffer. Any thread adds and removes trackers. The thread that removes a
   * tracker ends its watch.
   */
  private final Set<LeakTracker<?>> trackers = ConcurrentHashMap.newKeySet();

  /**
   * Number of the trackers in that set, whose own size method would add up counters of several
   * threads.
   */
  private final AtomicInteger watched = new AtomicInteger();

  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Number of samples beyond the limit. Written by any sampling thread. */
  private final LongAdder notWatched = new LongAdder();

  private volatile LongSupplier clock = System::nanoTime;

  // Guarded by this object's lock.
  private final SiteTrends trends = new SiteTrends(System.nanoTime());
  private final LeakedSamples leaked = new LeakedSamples();

  /**
   * Creates a detector with the default options, as {@link #LeakDetector(String, LeakStore,
   * Options)} does.
   */
  public LeakDetector(String pool, LeakStore store) {
    this(pool, store, Options.DEFAULTS);
  }

  /**
   * @param pool the pool's name: for a Netty copy its package prefix, such as {@code io.netty},
   *     whose frames are then never a site
   */
  public LeakDetector(String pool, LeakStore store, Options options) {
    this.pool = pool;
    this.store = store;
    this.options = options;
    this.table =
        new StackTable(new SiteFinder(pool, new SiteRules(options.siteRules)), options.noise);
    this.stacks = new CapturedStacks(table, this::nanos);
    this.buffers = new BufferSearch(options.chunks, stacks);
    this.allocations = new AllocationProfile(table, System.nanoTime());
  }

  /**
   * Options of a detector.
   *
   * @param maxWatched limit of watched samples; further samples are counted and not watched
   * @param noise matches frames that no report shows
   * @param hintText returns the text of an access's hint
   * @param burstNanos maximum distance of accesses of one thread with one hint that share a stack,
   *     in nanoseconds; 0 if each access has its own stack
   * @param siteRules texts of the {@link SiteRules}
   * @param holders returns the holder that a hint names
   * @param chunks returns the use of the chunk that contains a buffer, or null; a report calls it
   *     with live samples
   */
  public record Options(
      int maxWatched,
      Predicate<StackTraceElement> noise,
      Function<Object, @Nullable String> hintText,
      long burstNanos,
      List<String> siteRules,
      Function<Object, Holder> holders,
      Function<Object, @Nullable ChunkUse> chunks) {
    /** The default options. */
    public static final Options DEFAULTS =
        new Options(
            DEFAULT_MAX_WATCHED,
            frame -> false,
            Object::toString,
            DEFAULT_BURST_NANOS,
            List.of(),
            Holder::ofHint,
            BufferSearch.NO_CHUNKS);

    /**
     * @throws IllegalArgumentException if {@code maxWatched} is below 1 or {@code burstNanos} below
     *     0
     */
    public Options {
      if (maxWatched < 1) {
        throw new IllegalArgumentException("maxWatched: " + maxWatched + " (expected: >= 1)");
      }
      if (burstNanos < 0) {
        throw new IllegalArgumentException("burstNanos: " + burstNanos + " (expected: >= 0)");
      }
      siteRules = List.copyOf(siteRules);
    }

    /** Returns these options with another limit of watched samples. */
    public Options withMaxWatched(int limit) {
      return new Options(limit, noise, hintText, burstNanos, siteRules, holders, chunks);
    }
  }

  /** Returns the holder that a hint names; null after a failure, which is counted. */
  @Nullable Holder holder(Object hint) {
    try {
      return options.holders.apply(hint);
    } catch (Throwable failure) { // the hint may be an object of the application
      WatchFailures.add(failure);
      return null;
    }
  }

  long burstNanos() {
    return options.burstNanos;
  }

  Function<Object, @Nullable String> hintText() {
    return options.hintText;
  }

  /** Sets another clock, for tests. It continues from the value of {@link System#nanoTime()}. */
  void clock(LongSupplier nanos) {
    clock = nanos;
  }

  AllocationProfile allocations() {
    return allocations;
  }

  long nanos() {
    return clock.getAsLong();
  }

  private Moment now() {
    return new Moment(nanos(), System.currentTimeMillis());
  }

  /**
   * Tracks a sampled buffer as {@link #track(Object, Sample, int)} does, without recording
   * accesses.
   */
  public <T> LeakTracker<T> track(T buffer, Sample sample) {
    return track(buffer, sample, 0);
  }

  /**
   * Tracks a sampled buffer that the calling thread allocates with its current stack.
   *
   * @param buffer the buffer; the tracker holds it weakly and calls none of its methods
   * @param sample the properties of the buffer
   * @param accesses limit of the accesses that are kept, the last ones; 0: neither accesses nor
   *     calls of {@code retain} and {@code release} are kept
   * @return the tracker, which the thread that releases the buffer closes
   */
  public <T> LeakTracker<T> track(T buffer, Sample sample, int accesses) {
    LeakTracker<T> tracker = new LeakTracker<>(this, buffer, collected, sample, accesses);
    int oneIn = allocations.select(sample);
    if (watched.get() >= options.maxWatched) {
      tracker.clear(); // not in the set: a collection is no leak, and closing changes nothing
      notWatched.increment();
      largest.addNew(tracker, stacks);
      allocations.add(tracker, oneIn);
      return tracker;
    }
    try {
      stacks.capture(tracker);
      largest.addNew(tracker, stacks);
      allocations.add(tracker, oneIn);
      peak(sample).add(tracker.beginCount(), tracker.bornNanos());
      add(tracker); // last, because the count can end from here on
    } catch (Throwable outOfMemory) {
      discard(tracker);
      throw outOfMemory;
    }
    return tracker;
  }

  /**
   * Adds a tracker. Counts first, because the thread that removes the tracker must count after this
   * thread.
   */
  private void add(LeakTracker<?> tracker) {
    watched.incrementAndGet();
    boolean isAdded = false;
    try {
      isAdded = trackers.add(tracker);
    } finally {
      if (!isAdded) {
        watched.decrementAndGet();
      }
    }
  }

  /** Removes a tracker. Returns whether the calling thread is the one that removed it. */
  private boolean remove(LeakTracker<?> tracker) {
    boolean isRemoved = trackers.remove(tracker);
    if (isRemoved) {
      watched.decrementAndGet();
    }
    return isRemoved;
  }

  /** Removes a tracker that the caller of the detector does not get, and so cannot close. */
  private void discard(LeakTracker<?> tracker) {
    boolean unused = remove(tracker);
    tracker.clear();
    endCount(tracker, tracker.bornNanos());
    stacks.drop(tracker);
  }

  private LivePeak peak(Sample sample) {
    return sample.memory().equals("direct") ? directPeak : heapPeak;
  }

  private void endCount(LeakTracker<?> tracker, long nowNanos) {
    peak(tracker.sample()).add(tracker.endCount(), nowNanos);
  }

  /** Updates the sums after a change of a buffer's size. Throws nothing. */
  void updateSize(LeakTracker<?> tracker, int bytesBefore) {
    try {
      long nowNanos = nanos();
      peak(tracker.sample()).add(tracker.changeCount(), nowNanos);
      largest.addGrown(tracker, bytesBefore, nowNanos, stacks);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Ends the watch of a buffer.
   *
   * @param isReleased whether the caller has released the buffer, so that its age is a lifetime
   * @return false if the watch has ended before
   */
  boolean end(LeakTracker<?> tracker, boolean isReleased) {
    if (!remove(tracker)) {
      return false;
    }
    tracker.clear();
    tracker.end();
    long nowNanos = nanos();
    endCount(tracker, nowNanos);
    stacks.drop(tracker);
    if (isReleased && tracker.isLive()) { // last, because the addition can run out of memory
      lifetimes(tracker).add(nowNanos - tracker.bornNanos());
    }
    return true;
  }

  private LifetimeCounters lifetimes(LeakTracker<?> tracker) {
    return tracker.sample().memory().equals("direct") ? directLifetimes : heapLifetimes;
  }

  /**
   * Stores the leaks among the buffers that were garbage collected since the last call. A lookup of
   * a stack takes some ten microseconds for each leak, so no allocation path calls this.
   *
   * @return the number of leaks found
   */
  public int poll() {
    int leaks = 0;
    Reference<?> reference;
    while ((reference = collected.poll()) != null) {
      leaks += storeIfLeaked(reference);
    }
    return leaks;
  }

  /**
   * Stores leaks as {@link #poll} does, but first waits until a buffer is garbage collected.
   *
   * @param millis limit of the wait
   * @throws InterruptedException if the thread is interrupted during the wait
   */
  public int poll(long millis) throws InterruptedException {
    Reference<?> reference = collected.remove(millis);
    return reference == null ? 0 : storeIfLeaked(reference) + poll();
  }

  private int storeIfLeaked(Reference<?> reference) {
    if (!(reference instanceof LeakTracker<?> tracker) || !remove(tracker)) {
      return 0;
    }
    Moment now = now();
    StackTable.Stack stack = stacks.resolve(tracker);
    store(tracker, stack, now);
    Sample sample = tracker.sample();
    synchronized (this) {
      if (sample.isLostWithItsBuffer()) {
        if (!tracker.lose() && stack != null) {
          trends.addYoungLost(
              sample.memory(), stack.site(), sample.liveBytes(), tracker.bornNanos());
        }
        leaked.add(
            sample,
            table.keep(stack),
            tracker.holder(),
            tracker.bornNanos(),
            now); // still in the sum
      } else {
        tracker.end();
        endCount(tracker, now.nanos());
      }
    }
    stacks.drop(tracker);
    return 1;
  }

  /**
   * Stores a leak. Counts a failure, which can be one of the application's log: the bytes are
   * leaked nevertheless.
   */
  private void store(LeakTracker<?> tracker, StackTable.@Nullable Stack stack, Moment now) {
    try {
      store.add(pool, tracker, stack, now, table);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Polls, looks up stacks that wait, and updates the trends of sites. The detector's thread calls
   * this about once a second.
   *
   * @return the number of leaks found
   */
  public int tick() {
    int leaks = poll();
    Moment now = now();
    long until = System.nanoTime() + MAX_LOOKUP_NANOS;
    allocations.lookUpPending(stacks, MAX_ALLOCATION_LOOKUP_NANOS);
    allocations.tick(now.nanos());
    largest.lookUpWaiting(stacks);
    directPeak.roll(now.nanos());
    heapPeak.roll(now.nanos());
    stacks.addLookupNanos(MAX_LOOKUP_NANOS);
    stacks.resolveWaiting(trackers, now, until);
    ageAll(now);
    return leaks;
  }

  private synchronized void ageAll(Moment now) {
    for (LeakTracker<?> tracker : trackers) {
      if (isNewlyOld(tracker, now)) {
        addToTrend(tracker, stacks.resolve(tracker));
      }
    }
    trends.age(now);
    trends.roll(now);
  }

  private boolean isNewlyOld(LeakTracker<?> tracker, Moment now) {
    return tracker.sample().liveBytes() > 0
        && !tracker.isOld()
        && now.age(tracker.bornNanos()) != Age.UNDER_10_SECONDS;
  }

  private void addToTrend(LeakTracker<?> tracker, StackTable.@Nullable Stack stack) {
    if (stack != null) {
      tracker.becomeOld(trends.of(tracker.sample().memory(), stack.site()));
    }
  }

  /** Returns the number of watched samples: allocated and not yet released. */
  public int watched() {
    return watched.get();
  }

  /** Returns whether nothing is watched, and no stack waits to be looked up. */
  boolean isIdle() {
    return watched.get() == 0 && !allocations.hasPending() && !largest.hasWaiting();
  }

  /**
   * Returns the leaks in the store and the counts of this detector.
   *
   * @param level the level in force, for the reader
   * @param failures number of failures of watching, which the caller counts
   */
  public LeakReport report(String level, long failures, StackDetail detail) {
    return store.report(
        level, detail, watched(), notWatched.sum(), stacks.withoutStack(), failures);
  }

  /**
   * Returns the live profile. Looks up all stacks that wait, which can take some tens of
   * milliseconds.
   *
   * @param intervalBytes the mean of the sampler, for the reader
   */
  public LiveReport live(long intervalBytes, StackDetail detail) {
    allocations.lookUpPending(stacks, Long.MAX_VALUE); // both profiles share stacks
    Moment now = now();
    LiveSums sums = new LiveSums(detail);
    HolderSums holders = new HolderSums();
    List<SiteTrend> shownTrends;
    long trendsDropped;
    synchronized (this) {
      for (LeakTracker<?> tracker : trackers) {
        Sample sample = tracker.sample();
        if (sample.liveBytes() > 0) {
          StackTable.Stack stack = stacks.resolve(tracker);
          Age age = now.age(tracker.bornNanos());
          long bornMillis = now.millis(tracker.bornNanos());
          sums.add(sample, stack, age, bornMillis, false);
          holders.add(sample, stack, tracker.holder(), age, bornMillis, false);
        }
      }
      leaked.addTo(sums, holders, now);
      shownTrends = trends.show();
      trendsDropped = trends.dropped();
    }
    LiveDetail figures = figures(now(), holders); // last: the peaks include the samples above
    return new LiveReport(
        now.millis(), intervalBytes, sums.show(), shownTrends, trendsDropped, figures);
  }

  private LiveDetail figures(Moment now, HolderSums holders) {
    largest.lookUpWaiting(stacks);
    BufferSearch.Result found = buffers.get(trackers, now);
    return new LiveDetail(
        largest.show(now),
        found.chunkHolders(),
        holders.show(),
        found.pinned(),
        directPeak.peakBytes(now.nanos()),
        heapPeak.peakBytes(now.nanos()));
  }

  /**
   * Returns the lifetimes of released samples, one report for each kind of memory. Takes no lock.
   */
  public List<LifetimeReport> lifetimes() {
    return List.of(directLifetimes.report(), heapLifetimes.report());
  }

  /**
   * Returns the allocations of each stack since start. Looks up all stacks that wait, which can
   * take some milliseconds, and with {@link StackDetail#FRAMES} converts every frame to text.
   */
  public AllocationReport allocations(StackDetail detail) {
    allocations.lookUpPending(stacks, Long.MAX_VALUE);
    return allocations.report(now().millis(), detail);
  }
}

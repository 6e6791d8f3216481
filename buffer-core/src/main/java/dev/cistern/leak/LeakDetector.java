/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.ChunkHolder;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches the sampled buffers of one pool: tells at any time what is live, by site and age, and
 * which buffers were never released.
 *
 * <p>It decides nothing: the caller says what is a sample, calls {@link #tick} about once a second,
 * and says where leaks go. No further allocation is needed for a report, so a process that has gone
 * quiet reports too. Thread-safe.
 */
public final class LeakDetector {
  /** Samples watched at a time by default: at one sample per 512 KiB, 8 GiB in live buffers. */
  public static final int DEFAULT_MAX_WATCHED = 16_384;

  /** Accesses of a thread that follow each other within this are taken for one piece of work. */
  public static final long DEFAULT_BURST_NANOS = 500;

  /** Calls of {@code retain} and {@code release} that are kept of a buffer. */
  static final int COUNTS_KEPT = 8;

  /** Stacks wait as throwables until a sample is so old: most are released before. */
  private static final long RESOLVE_AGE_MILLIS = 2_000;

  /** Bytes that waiting stacks may take. */
  private static final int WAITING_BYTES = 1 << 20;

  /** Time for looking up stacks in each tick: half a percent of a processor. */
  private static final long RESOLVE_NANOS_PER_TICK = TimeUnit.MILLISECONDS.toNanos(5);

  /** The part of that for the allocation profile, before the live profile has its turn. */
  private static final long ALLOCATION_NANOS_PER_TICK = RESOLVE_NANOS_PER_TICK / 4;

  /** Unused time that sampling threads may save for a burst, such as the start of a process. */
  private static final long MOST_LOOKUP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * The time for which the sites that keep chunks are reported again. A search makes all sampled
   * buffers reachable for a garbage collector that is marking. If each report searched, leaks could
   * stay hidden while marking takes longer than a reader's interval.
   */
  static final long HOLDERS_KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The default of {@link Options#chunks()}, with which reports read no buffer. */
  @SuppressWarnings("UnnecessaryLambda") // one object, which is compared by identity
  private static final Function<Object, @Nullable ChunkUse> NO_CHUNKS = buffer -> null;

  private final String pool;
  private final LeakStore store;
  private final Options options;
  private final StackTable stacks;
  private final AllocationProfile allocations;
  private final LargestAllocations largest = new LargestAllocations();
  private final LivePeak directPeak = new LivePeak(System.nanoTime());
  private final LivePeak heapPeak = new LivePeak(System.nanoTime());
  private final LifetimeCounters directLifetimes = new LifetimeCounters("direct");
  private final LifetimeCounters heapLifetimes = new LifetimeCounters("heap");

  /**
   * Keeps the trackers reachable: without it an unreleased buffer and its tracker would die
   * together unseen. Added to and removed from by any thread; whoever removes a tracker decides its
   * fate.
   */
  private final Set<LeakTracker<?>> trackers = ConcurrentHashMap.newKeySet();

  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Stacks that wait as throwables. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Time that sampling threads have left for looking up stacks if too many wait. */
  private final AtomicLong lookupNanos = new AtomicLong(MOST_LOOKUP_NANOS);

  // Written by any sampling thread, read by reports.
  private final LongAdder notWatched = new LongAdder();
  private final LongAdder withoutStack = new LongAdder();

  private volatile LongSupplier clock = System::nanoTime;

  // Guarded by this object's lock.
  private final SiteTrends trends = new SiteTrends(System.nanoTime());
  private final LostBuffers lost = new LostBuffers();

  /** Guards the two fields below; held while foreign code reads the use of chunks. */
  private final Object holdersLock = new Object();

  private @Nullable List<ChunkHolder> holders;
  private long holdersNanos;

  /**
   * Watches at most {@link #DEFAULT_MAX_WATCHED} samples at a time.
   *
   * @param pool the pool's name: for a Netty copy its package prefix, such as {@code io.netty},
   *     whose frames are then never a site
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
    this.stacks =
        new StackTable(new SiteFinder(pool, new SiteRules(options.siteRules)), options.noise);
    this.allocations = new AllocationProfile(stacks, System.nanoTime());
  }

  /**
   * Options of a detector.
   *
   * @param maxWatched samples watched at a time; what comes beyond is counted, not watched
   * @param noise frames that no report shows
   * @param hintText what a hint of an access says
   * @param burstNanos accesses of one thread with one hint share a stack where they follow each
   *     other so closely; 0: each has its own
   * @param siteRules texts of the {@link SiteRules}
   * @param chunks returns the use of the chunk that contains a buffer, or null; a report calls it
   *     with live samples
   */
  public record Options(
      int maxWatched,
      Predicate<StackTraceElement> noise,
      Function<Object, @Nullable String> hintText,
      long burstNanos,
      List<String> siteRules,
      Function<Object, @Nullable ChunkUse> chunks) {
    /** The default options. */
    public static final Options DEFAULTS =
        new Options(
            DEFAULT_MAX_WATCHED,
            frame -> false,
            Object::toString,
            DEFAULT_BURST_NANOS,
            List.of(),
            NO_CHUNKS);

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

    /** These, with another limit of samples. */
    public Options withMaxWatched(int most) {
      return new Options(most, noise, hintText, burstNanos, siteRules, chunks);
    }
  }

  long burstNanos() {
    return options.burstNanos;
  }

  Function<Object, @Nullable String> hintText() {
    return options.hintText;
  }

  /**
   * Sets another clock, for tests: it goes on from what {@link System#nanoTime()} says, faster or
   * by itself.
   */
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

  /** As {@link #track(Object, Sample, int)}, without tracing accesses. */
  public <T> LeakTracker<T> track(T buffer, Sample sample) {
    return track(buffer, sample, 0);
  }

  /**
   * Watches a sampled buffer, as allocated by the calling thread with the stack that it has now.
   *
   * @param buffer the buffer; only ever held weakly, none of its methods is called
   * @param sample what is known of it
   * @param accesses how many of its accesses are kept, the last ones; 0: neither these nor the
   *     calls of {@code retain} and {@code release} are
   * @return the tracker that the buffer's release closes
   */
  public <T> LeakTracker<T> track(T buffer, Sample sample, int accesses) {
    LeakTracker<T> tracker = new LeakTracker<>(this, buffer, collected, sample, accesses);
    int oneIn = allocations.select(sample);
    if (trackers.size() >= options.maxWatched) {
      // Not in the set: when the buffer is collected, nobody is told, and closing changes nothing.
      tracker.clear();
      notWatched.increment();
      if (sample.requestedBytes() >= LargestAllocations.MIN_BYTES) {
        addLarge(tracker, sample, true);
      }
      addAllocation(tracker, sample, oneIn);
      return tracker;
    }
    try {
      captureStack(tracker);
      if (sample.requestedBytes() >= LargestAllocations.MIN_BYTES) {
        addLarge(tracker, sample, true);
      }
      addAllocation(tracker, sample, oneIn);
      peak(sample).add(tracker.beginCount(), tracker.bornNanos());
      trackers.add(tracker); // last: from here on, the count can end
    } catch (Throwable noMemory) {
      giveUp(tracker);
      throw noMemory;
    }
    return tracker;
  }

  /** The caller will not get this tracker, so that nobody could ever close it. */
  private void giveUp(LeakTracker<?> tracker) {
    trackers.remove(tracker);
    tracker.clear();
    endCount(tracker, tracker.bornNanos());
    forgetStack(tracker);
  }

  private LivePeak peak(Sample sample) {
    return sample.memory().equals("direct") ? directPeak : heapPeak;
  }

  private void endCount(LeakTracker<?> tracker, long nowNanos) {
    peak(tracker.sample()).add(tracker.endCount(), nowNanos);
  }

  /** Updates the figures of a buffer that has another size now. Throws nothing. */
  void moved(LeakTracker<?> tracker, int bytesBefore) {
    try {
      Sample sample = tracker.sample();
      peak(sample).add(tracker.changeCount(), nanos());
      if (sample.requestedBytes() > bytesBefore
          && sample.requestedBytes() >= LargestAllocations.MIN_BYTES) {
        addLarge(tracker, sample, false);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Adds a sample to the largest allocations if it is one of them. Throws nothing: after a failure,
   * the buffer is watched without an entry.
   *
   * @param isNew whether the calling thread allocates the buffer; otherwise it has grown
   */
  private void addLarge(LeakTracker<?> tracker, Sample sample, boolean isNew) {
    if (sample.kind().equals(Sample.COMPOSITE) || (isNew && sample.isContinued())) {
      return; // no allocation of its own, or one that the replaced sample has added
    }
    try {
      long nowNanos = nanos();
      int bytes = sample.requestedBytes();
      if (largest.mayEnter(sample.memory(), bytes, nowNanos)) {
        Object stack = retainStack(tracker);
        if (stack == null && isNew) {
          stack = new StackMark();
        }
        LargestAllocations.Candidate gaveWay =
            largest.add(
                new LargestAllocations.Candidate(tracker, sample.memory(), bytes, nowNanos, stack));
        if (gaveWay != null && gaveWay.stack instanceof StackTable.Stack unused) {
          stacks.release(unused);
        }
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Retains and returns the stack of a tracker, which may not be looked up yet; null if it has
   * none.
   */
  private @Nullable Object retainStack(LeakTracker<?> tracker) {
    synchronized (tracker) {
      return tracker.stack instanceof StackTable.Stack stack ? stacks.retain(stack) : tracker.stack;
    }
  }

  /** Looks up the sites of the large allocations that wait. */
  private void lookUpLargest() {
    LargestAllocations.Candidate next;
    while ((next = largest.poll()) != null) {
      StackTable.Stack stack = lookUp(next.stack, next.tracker);
      try {
        largest.add(next, LeakedBuffer.site(stack));
      } finally {
        stacks.release(stack);
      }
    }
  }

  private void captureStack(LeakTracker<?> tracker) {
    if (waiting.get() < waitingLimit()) {
      tracker.stack = new StackMark(); // counted once there is one: it may find no memory
      waiting.incrementAndGet();
    } else if (tracker.sample().isExact()) {
      keepStack(tracker, new StackMark()); // every buffer is watched: exact before fast
    } else if (lookupNanos.get() > 0) {
      long start = nanos();
      keepStack(tracker, new StackMark());
      lookupNanos.addAndGet(start - nanos());
    } else {
      withoutStack.increment();
    }
  }

  /** Adds a sample to the allocation profile. No other thread can use its tracker yet. */
  private void addAllocation(LeakTracker<?> tracker, Sample sample, int oneIn) {
    if (oneIn == 0) {
      return;
    }
    Object stack = tracker.stack;
    if (stack == null) {
      allocations.addToRemainder(sample, oneIn);
      return;
    }
    if (stack instanceof StackTable.Stack known) {
      StackTable.Stack unused = stacks.retain(known);
    }
    allocations.add(new AllocationProfile.Selected(tracker, sample, oneIn, stack));
  }

  private int waitingLimit() {
    return WAITING_BYTES / stacks.throwableBytes();
  }

  private void keepStack(LeakTracker<?> tracker, StackMark mark) {
    StackTable.Stack stack = stacks.intern(mark);
    tracker.stack = stack;
    if (stack == null) {
      withoutStack.increment();
    }
  }

  /** The stack of a tracker, looked up now if it has not been. */
  private StackTable.@Nullable Stack resolve(LeakTracker<?> tracker) {
    synchronized (tracker) {
      if (tracker.stack instanceof StackMark mark) {
        waiting.decrementAndGet();
        keepStack(tracker, mark);
      }
      return tracker.stack instanceof StackTable.Stack stack ? stack : null;
    }
  }

  /** Lets the stack of a tracker go that is no longer among those watched. */
  private void forgetStack(LeakTracker<?> tracker) {
    synchronized (tracker) {
      if (tracker.stack instanceof StackMark) {
        waiting.decrementAndGet();
      } else if (tracker.stack instanceof StackTable.Stack stack) {
        stacks.release(stack);
      }
      tracker.stack = null;
    }
  }

  /**
   * Ends a watch.
   *
   * @param isReleased whether the buffer was released just now, so that its age is a lifetime
   * @return false if it has ended before
   */
  boolean closed(LeakTracker<?> tracker, boolean isReleased) {
    if (!trackers.remove(tracker)) {
      return false;
    }
    tracker.clear();
    tracker.end();
    long nowNanos = nanos();
    endCount(tracker, nowNanos);
    forgetStack(tracker);
    if (isReleased && tracker.isLive()) { // last: it may find no memory
      lifetimes(tracker).add(nowNanos - tracker.bornNanos());
    }
    return true;
  }

  private LifetimeCounters lifetimes(LeakTracker<?> tracker) {
    return tracker.sample().memory().equals("direct") ? directLifetimes : heapLifetimes;
  }

  /**
   * Stores the leaks among the buffers that were garbage collected since the last call. Not on an
   * allocation path: looking a stack up takes some ten microseconds per leak.
   *
   * @return the number of leaks found
   */
  public int poll() {
    int leaks = 0;
    Reference<?> reference;
    while ((reference = collected.poll()) != null) {
      leaks += found(reference);
    }
    return leaks;
  }

  /**
   * As {@link #poll}, but waits for a buffer to be garbage collected first.
   *
   * @param millis how long at most
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public int poll(long millis) throws InterruptedException {
    Reference<?> reference = collected.remove(millis);
    return reference == null ? 0 : found(reference) + poll();
  }

  private int found(Reference<?> reference) {
    if (!(reference instanceof LeakTracker<?> tracker) || !trackers.remove(tracker)) {
      return 0;
    }
    Moment now = now();
    StackTable.Stack stack = resolve(tracker);
    store(tracker, stack, now);
    Sample sample = tracker.sample();
    synchronized (this) {
      if (sample.isLostWithItsBuffer()) {
        if (!tracker.lose() && stack != null) {
          trends.addYoungLost(
              sample.memory(), stack.site(), sample.liveBytes(), tracker.bornNanos());
        }
        lost.add(sample, stacks.keep(stack), tracker.bornNanos(), now); // still in the sum
      } else {
        tracker.end();
        endCount(tracker, now.nanos());
      }
    }
    forgetStack(tracker);
    return 1;
  }

  /** Whatever fails, in the log of others too: the bytes are lost all the same. */
  private void store(LeakTracker<?> tracker, StackTable.@Nullable Stack stack, Moment now) {
    try {
      store.add(pool, tracker, stack, now, stacks);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Does what is due by time: polls, looks up the stacks of samples that live on, and sees which
   * sites grow. Called about once a second.
   *
   * @return the number of leaks found
   */
  public int tick() {
    int leaks = poll();
    Moment now = now();
    long until = System.nanoTime() + RESOLVE_NANOS_PER_TICK;
    lookUpAllocations(ALLOCATION_NANOS_PER_TICK);
    allocations.tick(now.nanos());
    lookUpLargest();
    directPeak.roll(now.nanos());
    heapPeak.roll(now.nanos());
    lookupNanos.updateAndGet(left -> Math.min(left + RESOLVE_NANOS_PER_TICK, MOST_LOOKUP_NANOS));
    boolean isPressing = waiting.get() > waitingLimit() / 4;
    for (LeakTracker<?> tracker : trackers) {
      if (tracker.stack instanceof StackMark
          && (isPressing || now.ageMillis(tracker.bornNanos()) >= RESOLVE_AGE_MILLIS)
          && System.nanoTime() - until < 0) {
        StackTable.Stack unused = resolve(tracker);
      }
    }
    ageAll(now);
    return leaks;
  }

  /** Looks up the stacks that wait for the allocation profile now: a full queue at most. */
  private void lookUpAllocations(long maxNanos) {
    long start = System.nanoTime();
    for (int i = 0;
        i < AllocationProfile.MAX_PENDING && System.nanoTime() - start < maxNanos;
        i++) {
      AllocationProfile.Selected next = allocations.poll();
      if (next == null) {
        return;
      }
      try {
        allocations.add(next, lookUp(next.stack, next.tracker));
      } catch (RuntimeException | Error noMemory) {
        allocations.addToRemainder(next.sample, next.oneIn);
        throw noMemory;
      }
    }
  }

  /** Returns a captured stack. If it is still a throwable, it is looked up. */
  private StackTable.@Nullable Stack lookUp(@Nullable Object captured, LeakTracker<?> tracker) {
    if (captured instanceof StackMark mark) {
      StackTable.Stack stack = stacks.intern(mark);
      share(mark, stack, tracker);
      return stack;
    }
    return (StackTable.Stack) captured;
  }

  /** Spares the live profile looking up the same stack. */
  private void share(StackMark mark, StackTable.@Nullable Stack stack, LeakTracker<?> tracker) {
    if (stack == null) {
      return;
    }
    synchronized (tracker) {
      if (tracker.stack == mark) {
        waiting.decrementAndGet();
        tracker.stack = stacks.retain(stack);
      }
    }
  }

  private synchronized void ageAll(Moment now) {
    for (LeakTracker<?> tracker : trackers) {
      if (isDue(tracker, now)) {
        arrive(tracker, resolve(tracker));
      }
    }
    trends.age(now);
    trends.roll(now);
  }

  private boolean isDue(LeakTracker<?> tracker, Moment now) {
    return tracker.sample().liveBytes() > 0
        && !tracker.isOld()
        && now.age(tracker.bornNanos()) != Age.UNDER_10_SECONDS;
  }

  /** The sample is old from now on, at its site. */
  private void arrive(LeakTracker<?> tracker, StackTable.@Nullable Stack stack) {
    if (stack != null) {
      tracker.becomeOld(trends.of(tracker.sample().memory(), stack.site()));
    }
  }

  /** Returns the number of samples that are watched now: allocated and not yet released. */
  public int watched() {
    return trackers.size();
  }

  /** Returns whether nothing is watched, and no stack waits to be looked up. */
  boolean isIdle() {
    return trackers.isEmpty() && !allocations.hasPending() && !largest.hasWaiting();
  }

  /**
   * Returns what is known of leaks now, with all that the store has.
   *
   * @param level the level in force, for the reader
   * @param failures times that watching failed, as the caller has counted them
   */
  public LeakReport report(String level, long failures) {
    return report(level, failures, StackDetail.FRAMES);
  }

  /** As {@link #report(String, long)}, with as much of the stacks as is wanted. */
  public LeakReport report(String level, long failures, StackDetail detail) {
    return store.report(level, detail, watched(), notWatched.sum(), withoutStack.sum(), failures);
  }

  /**
   * Returns what is live now. Looks up all stacks that wait, which may take some tens of
   * milliseconds.
   *
   * @param intervalBytes the mean of the sampler, for the reader
   */
  public LiveReport live(long intervalBytes) {
    return live(intervalBytes, StackDetail.FRAMES);
  }

  /** As {@link #live(long)}, with as much of the stacks as is wanted. */
  public LiveReport live(long intervalBytes, StackDetail detail) {
    lookUpAllocations(Long.MAX_VALUE); // both profiles share stacks
    Moment now = now();
    LiveSums sums = new LiveSums(detail);
    List<SiteTrend> shownTrends;
    long trendsDropped;
    synchronized (this) {
      for (LeakTracker<?> tracker : trackers) {
        if (tracker.sample().liveBytes() > 0) {
          sums.add(
              tracker.sample(),
              resolve(tracker),
              now.age(tracker.bornNanos()),
              now.millis(tracker.bornNanos()),
              false);
        }
      }
      lost.addTo(sums, now);
      shownTrends = trends.show();
      trendsDropped = trends.dropped();
    }
    LiveDetail figures = figures(now()); // last: the peaks include what was added up
    return new LiveReport(
        now.millis(), intervalBytes, sums.show(), shownTrends, trendsDropped, figures);
  }

  private LiveDetail figures(Moment now) {
    lookUpLargest();
    return new LiveDetail(
        largest.show(now),
        holders(now.nanos()),
        List.of(),
        List.of(),
        directPeak.peakBytes(now.nanos()),
        heapPeak.peakBytes(now.nanos()));
  }

  private List<ChunkHolder> holders(long nowNanos) {
    if (options.chunks == NO_CHUNKS) {
      return List.of();
    }
    synchronized (holdersLock) {
      List<ChunkHolder> known = holders;
      if (known == null || nowNanos - holdersNanos >= HOLDERS_KEPT_NANOS) {
        known = findHolders();
        holders = known;
        holdersNanos = nowNanos;
      }
      return known;
    }
  }

  /**
   * Returns the sites that keep nearly empty chunks. After a failure, these are the sites found
   * before it.
   */
  private List<ChunkHolder> findHolders() {
    ChunkHolders found = new ChunkHolders();
    try {
      for (LeakTracker<?> tracker : trackers) {
        Sample sample = tracker.sample();
        Object buffer = sample.liveBytes() > 0 ? tracker.get() : null;
        ChunkUse use = buffer == null ? null : options.chunks.apply(buffer);
        if (use != null && use.isNearlyEmpty()) {
          found.add(sample.memory(), LeakedBuffer.site(resolve(tracker)), use);
        }
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
    return found.show();
  }

  /**
   * Returns the lifetimes of released samples, one report for each kind of memory. Takes no lock.
   */
  public List<LifetimeReport> lifetimes() {
    return List.of(directLifetimes.report(), heapLifetimes.report());
  }

  /**
   * Returns what each stack has allocated since start. Looks up all stacks that wait, which may
   * take some milliseconds, and with {@link StackDetail#FRAMES} writes every frame as text.
   */
  public AllocationReport allocations(StackDetail detail) {
    lookUpAllocations(Long.MAX_VALUE);
    return allocations.report(now().millis(), detail);
  }

  /** Carries a stack; never thrown. */
  private static final class StackMark extends Throwable {
    private static final long serialVersionUID = 1;

    StackMark() {
      super(null, null, false, true);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.LeakListener;
import dev.cistern.util.ResourceLeakHint;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leak detector of the library's own buffers, of all allocators together: it logs an error for
 * each new stack, and is looked after by a thread of its own.
 */
public final class LibraryLeaks {
  /** The detector of all buffers of this process. */
  public static final LibraryLeaks SHARED = new LibraryLeaks(NoiseFilter::matches);

  private static final String POOL = "dev.cistern";
  private static final int REMEMBERED_REPORTS = 1024;

  private final ThreadSampler sampler =
      new ThreadSampler(new ByteSampler.Sampling(LeakSettings.INTERVAL_BYTES));
  private final LeakDetector detector;
  private final LeakPatrol patrol;

  /** Reports that the listener got. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private volatile @Nullable LeakListener listener;

  /** Reaches the frames that no report shows, which only a subclass can. */
  private abstract static class NoiseFilter extends ResourceLeakDetector<Object> {
    private NoiseFilter() {
      super(Object.class, 1);
    }

    static boolean matches(StackTraceElement frame) {
      return isNoise(frame);
    }
  }

  private LibraryLeaks(Predicate<StackTraceElement> noise) {
    this(noise, LeakPatrol::thread);
  }

  LibraryLeaks(Predicate<StackTraceElement> noise, Function<Runnable, Thread> threads) {
    detector =
        new LeakDetector(
            POOL,
            new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, LibraryLeaks::log, this::tell),
            new LeakDetector.Options(
                LeakSettings.MAX_WATCHED,
                noise,
                LibraryLeaks::text,
                LeakSettings.BURST_NANOS,
                LeakSettings.SITE_RULES,
                ChunkPart::of));
    patrol = new LeakPatrol(detector, threads);
  }

  private static String text(Object hint) {
    return hint instanceof ResourceLeakHint named ? named.toHintString() : hint.toString();
  }

  private static void log(String line) {
    System.getLogger(ResourceLeakDetector.class.getName()).log(System.Logger.Level.ERROR, line);
  }

  /** As it is of old: each different report is told once, and a few again when they are many. */
  private void tell(Supplier<LeakRecord> leak) {
    LeakListener to = listener;
    if (to != null) {
      String records = leak.get().toText();
      if (told.size() >= REMEMBERED_REPORTS) {
        told.clear();
      }
      if (told.add(records)) {
        tell(to, records);
      }
    }
  }

  /** A listener's failure is its own. */
  private static void tell(LeakListener to, String records) {
    try {
      to.onLeak("ByteBuf", records);
    } catch (Throwable failure) {
      System.getLogger(ResourceLeakDetector.class.getName())
          .log(
              System.Logger.Level.WARNING,
              () -> "the leak listener " + to.getClass().getName() + " failed",
              failure);
    }
  }

  /** Sets who is told of leaks, or nobody. */
  public void listener(@Nullable LeakListener newListener) {
    listener = newListener;
  }

  /** Watches a buffer, and records of it what the level says. */
  public <T> LeakTracker<T> track(T buffer, Sample sample) {
    long startNanos = System.nanoTime();
    int records = LeakSettings.recorded() == Recorded.RELEASE_ONLY ? 0 : LeakSettings.RECORDS;
    LeakTracker<T> tracker = detector.track(buffer, weighed(sample), records);
    wakePatrol();
    if (sample.isByBytes() && sample.kind().equals(Sample.UNPOOLED)) {
      sampler.spentSince(startNanos); // a pool has the time of its own samples taken
    }
    return tracker;
  }

  /** Returns the sample with its weight at the advanced level, where buffers are drawn two ways. */
  private static Sample weighed(Sample sample) {
    boolean isDrawnTwoWays = LeakSettings.isByBytes() && LeakSettings.isByCount();
    return isDrawnTwoWays && !sample.kind().equals(Sample.COMPOSITE)
        ? sample.drawnTwoWays(LeakSettings.INTERVAL_BYTES, LeakSettings.SAMPLING_INTERVAL)
        : sample;
  }

  /** Fails where there is no thread: the buffer is watched all the same, and the next one tries. */
  private void wakePatrol() {
    try {
      patrol.wake();
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Counts an allocation that no pool counts.
   *
   * @return the bytes that it stands for; 0 where it is not drawn
   */
  public long weigh(int bytes) {
    return LeakSettings.isByBytes() ? sampler.weigh(bytes) : 0;
  }

  LeakDetector detector() {
    return detector;
  }

  /** The leaks found up to now. */
  public LeakReport leaks(StackDetail detail) {
    return detector.report(LeakSettings.level(), WatchFailures.count(), detail);
  }

  /** The one in force: nothing is drawn by bytes at some levels, whatever is set. */
  private static long intervalBytes() {
    if (LeakSettings.isParanoid()) {
      return 1; // every buffer is watched
    }
    return LeakSettings.isByBytes() ? LeakSettings.INTERVAL_BYTES : 0;
  }

  /** The live profile: which sites hold how many bytes, how old they are, and which sites grow. */
  public LiveReport live(StackDetail detail) {
    return detector.live(intervalBytes(), detail);
  }

  /** Returns the lifetimes of released samples, one report for each kind of memory. */
  public List<LifetimeReport> lifetimes() {
    return detector.lifetimes();
  }

  /** Returns the allocation profile: what each stack has allocated since start. */
  public AllocationReport allocations(StackDetail detail) {
    return detector.allocations(detail);
  }
}

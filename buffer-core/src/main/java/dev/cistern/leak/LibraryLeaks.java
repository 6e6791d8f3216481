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
 * The leak detector of the library's own buffers, of all allocators together, with its own thread.
 * It logs an error for each new stack.
 */
public final class LibraryLeaks {
  /** The detector of all buffers of this process. */
  public static final LibraryLeaks SHARED = new LibraryLeaks(NoiseFilter::matches);

  private static final String POOL = "dev.cistern";
  private static final int MAX_REPORTED = 1024;

  private final ThreadSampler sampler =
      new ThreadSampler(new ByteSampler.Sampling(LeakSettings.INTERVAL_BYTES));
  private final LeakDetector detector;
  private final LeakDetectorThread thread;

  /** Reports that the listener has received. */
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  private volatile @Nullable LeakListener listener;

  /** Access to the frames that no report shows, which only a subclass has. */
  private abstract static class NoiseFilter extends ResourceLeakDetector<Object> {
    private NoiseFilter() {
      super(Object.class, 1);
    }

    static boolean matches(StackTraceElement frame) {
      return isNoise(frame);
    }
  }

  private LibraryLeaks(Predicate<StackTraceElement> noise) {
    this(noise, LeakDetectorThread::create);
  }

  LibraryLeaks(Predicate<StackTraceElement> noise, Function<Runnable, Thread> threads) {
    detector =
        new LeakDetector(
            POOL,
            new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, LibraryLeaks::log, this::notifyListener),
            new LeakDetector.Options(
                LeakSettings.MAX_WATCHED,
                noise,
                LibraryLeaks::text,
                LeakSettings.BURST_NANOS,
                LeakSettings.SITE_RULES,
                LibraryLeaks::holder,
                ChunkPart::of));
    thread = new LeakDetectorThread(detector, threads);
  }

  private static String text(Object hint) {
    return hint instanceof ResourceLeakHint named ? named.toHintString() : hint.toString();
  }

  private static Holder holder(Object hint) {
    return hint instanceof ResourceLeakHint named
        ? Holder.ofText(named.toHintString())
        : Holder.ofHint(hint);
  }

  private static void log(String line) {
    System.getLogger(ResourceLeakDetector.class.getName()).log(System.Logger.Level.ERROR, line);
  }

  /** Passes each different report to the listener once, but may repeat some after many reports. */
  private void notifyListener(Supplier<LeakRecord> leak) {
    LeakListener to = listener;
    if (to != null) {
      String records = leak.get().toText();
      if (reported.size() >= MAX_REPORTED) {
        reported.clear();
      }
      if (reported.add(records)) {
        notifyListener(to, records);
      }
    }
  }

  private static void notifyListener(LeakListener to, String records) {
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

  /** Sets the listener that receives leaks; null for none. */
  public void listener(@Nullable LeakListener newListener) {
    listener = newListener;
  }

  /** Watches a buffer, and records its accesses at the levels that do so. */
  public <T> LeakTracker<T> track(T buffer, Sample sample) {
    long startNanos = System.nanoTime();
    int records =
        LeakSettings.recordingLevel() == RecordingLevel.RELEASE_ONLY ? 0 : LeakSettings.RECORDS;
    LeakTracker<T> tracker = detector.track(buffer, weighed(sample), records);
    wakeThread();
    if (sample.isByBytes() && sample.kind().equals(Sample.UNPOOLED)) {
      sampler.spentSince(startNanos); // a pool counts the time of its own samples
    }
    return tracker;
  }

  /**
   * Returns the sample with its weight in reports, because two samplers select buffers at one
   * level.
   */
  private static Sample weighed(Sample sample) {
    boolean isDrawnTwoWays = LeakSettings.isByBytes() && LeakSettings.isByCount();
    return isDrawnTwoWays && !sample.kind().equals(Sample.COMPOSITE)
        ? sample.drawnTwoWays(LeakSettings.INTERVAL_BYTES, LeakSettings.SAMPLING_INTERVAL)
        : sample;
  }

  /** Starts the thread. Counts a failure, after which the next sample tries again. */
  private void wakeThread() {
    try {
      thread.wake();
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Counts an allocation that no pool counts.
   *
   * @return the weight of the sample in bytes; 0 if the allocation is no sample
   */
  public long weigh(int bytes) {
    return LeakSettings.isByBytes() ? sampler.weigh(bytes) : 0;
  }

  LeakDetector detector() {
    return detector;
  }

  /** Returns the leaks found so far. */
  public LeakReport leaks(StackDetail detail) {
    return detector.report(LeakSettings.level(), WatchFailures.count(), detail);
  }

  /**
   * Returns the interval in force in bytes: 1 if every buffer is tracked, 0 at levels without
   * samples by bytes.
   */
  private static long intervalBytes() {
    if (LeakSettings.isParanoid()) {
      return 1; // every buffer is tracked
    }
    return LeakSettings.isByBytes() ? LeakSettings.INTERVAL_BYTES : 0;
  }

  /** Returns the live profile: bytes, ages and growth by site. */
  public LiveReport live(StackDetail detail) {
    return detector.live(intervalBytes(), detail);
  }

  /** Returns the lifetimes of released samples, one report for each kind of memory. */
  public List<LifetimeReport> lifetimes() {
    return detector.lifetimes();
  }

  /** Returns the allocation profile: the allocations of each stack since start. */
  public AllocationReport allocations(StackDetail detail) {
    return detector.allocations(detail);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.DetectorTicks;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.util.internal.DaemonThreads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that leaks at ten of its sites and not at a hundred other ones, and knows which buffers
 * are live. It runs in a separate JVM; {@link LeakTruthTest} explains its exit status.
 */
final class LeakTruth {
  /** Exit status if all results are right. */
  static final int TRUE = 0;

  /** Exit status if a released buffer is reported as a leak, or if the program failed. */
  static final int FALSE = 1;

  /**
   * Exit status if estimates are farther off than chance explains, except once in some hundred
   * runs, or if too few sites have enough samples.
   */
  static final int UNLIKELY = 2;

  /**
   * Exit status if a site without a leak is suspected, or a leaking one is not suspected in time.
   */
  static final int SUSPECTS = 3;

  /**
   * Exit status as {@link #SUSPECTS}, but the machine paused the program for so long that sites did
   * not behave as planned.
   */
  static final int DISTURBED = 4;

  private static final double MIB = 1 << 20;

  /** Length of a window of the detector. */
  private static final double MAX_PAUSE_SECONDS = 5;

  private static final double IN_TIME_SECONDS = LeakTruthSite.LEAKS_FROM_SECONDS + 60;

  /** With fewer samples, the distribution is not close to a normal one. */
  private static final double FEWEST_SAMPLES = 10;

  private static final int MAX_BEYOND_THREE_ERRORS = 3;

  /** With fewer sites, the comparison by site says nothing. */
  private static final int MIN_COMPARED = 5;

  private final double seconds;
  private final double momentBytesPerSecond;
  private final List<LeakTruthSite> sites;
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final List<Thread> threads = new ArrayList<>();

  /** Barrier of the workers and the main thread, which stops all workers and then resumes them. */
  private final Phaser still = new Phaser(1);

  private volatile boolean isStill;
  private volatile boolean isOver;
  private long startNanos;
  private final DoubleAccumulator longestStill = new DoubleAccumulator(Math::max, 0);

  private final Map<String, Double> suspectedAt = new HashMap<>();
  private final Set<String> reported = new HashSet<>();

  private LeakTruth(long seed, double seconds, int workers, double mebibytes) {
    this.seconds = seconds;
    this.momentBytesPerSecond = mebibytes * MIB / workers;
    SplittableRandom random = new SplittableRandom(seed);
    this.sites = LeakTruthSite.all(random);
    for (int i = 0; i < workers; i++) {
      List<LeakTruthSite.Part> parts = new ArrayList<>();
      for (LeakTruthSite site : sites) {
        boolean isShared =
            switch (site.life) {
              case LEAK, QUEUE, MOMENT -> true;
              default -> false;
            };
        if (isShared || site.number % workers == i) {
          parts.add(site.part(allocator, isShared ? workers : 1, random.split()));
        }
      }
      SplittableRandom own = random.split();
      threads.add(DaemonThreads.create("worker-" + i, () -> workOrEnd(parts, own)));
    }
  }

  /**
   * Runs the program. Arguments: seed, seconds, threads, and MiB of short-lived buffers per second.
   */
  public static void main(String[] arguments) throws InterruptedException {
    LeakTruth truth =
        new LeakTruth(
            Long.parseLong(arguments[0]),
            Double.parseDouble(arguments[1]),
            Integer.parseInt(arguments[2]),
            Double.parseDouble(arguments[3]));
    System.exit(truth.run());
  }

  private double now() {
    return (System.nanoTime() - startNanos) * 1e-9;
  }

  private int run() throws InterruptedException {
    DetectorTicks ticks = new DetectorTicks(BufferLeakDetector.LEAKS);
    startNanos = System.nanoTime();
    still.bulkRegister(threads.size());
    threads.forEach(Thread::start);
    int verdict = TRUE;
    double last = now();
    for (int quarter = 1; quarter <= 4; quarter++) {
      while (now() < seconds * quarter / 4) {
        Thread.sleep(300);
        longestStill.accumulate(now() - last);
        last = now();
        ticks.tick();
        look();
      }
      isStill = true;
      still.arriveAndAwaitAdvance();
      verdict = Math.max(verdict, compare());
      isStill = false;
      isOver = quarter == 4;
      still.arriveAndAwaitAdvance();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.gc();
    ticks.tick();
    look();
    double longest = longestStill.get();
    System.out.printf("longest pause of a thread: %.1f s%n", longest);
    if (!hasNoFalseReport()) {
      return FALSE;
    }
    boolean areSuspectsCorrect = areSuspectsCorrect();
    if (!areSuspectsCorrect) {
      return longest > MAX_PAUSE_SECONDS ? DISTURBED : SUSPECTS;
    }
    return verdict;
  }

  private void workOrEnd(List<LeakTruthSite.Part> parts, SplittableRandom random) {
    try {
      work(parts, random);
    } catch (Throwable failure) {
      failure.printStackTrace(System.out);
      System.exit(FALSE);
    }
  }

  private void work(List<LeakTruthSite.Part> parts, SplittableRandom random) {
    List<LeakTruthSite.Part> moments = new ArrayList<>();
    parts.stream().filter(LeakTruthSite.Part::isMoment).forEach(moments::add);
    double done = 0;
    double last = now();
    while (!isOver) {
      double now = now();
      longestStill.accumulate(now - last);
      last = now;
      parts.forEach(part -> part.step(now));
      double due = momentBytesPerSecond * now;
      for (int most = 50; done < due && most > 0; most--) {
        done += moments.get(random.nextInt(moments.size())).moment();
      }
      if (done >= due) {
        LockSupport.parkNanos(100_000);
      }
      if (isStill) {
        still.arriveAndAwaitAdvance();
        still.arriveAndAwaitAdvance();
      }
    }
    parts.forEach(LeakTruthSite.Part::end);
  }

  /** Records the sites that are suspected or reported now. */
  private void look() {
    for (SiteTrend trend : LibraryLeaks.SHARED.live(StackDetail.FRAMES).trends()) {
      if (trend.isSuspect()) {
        suspectedAt.putIfAbsent(trend.site(), now());
      }
    }
    for (LeakEntry entry : LibraryLeaks.SHARED.leaks(StackDetail.FRAMES).entries()) {
      reported.add(entry.site());
    }
  }

  private boolean areSuspectsCorrect() {
    boolean areSuspectsCorrect = true;
    Set<String> leaking = new HashSet<>();
    for (LeakTruthSite site : sites) {
      double rate = site.leakedMebibytesPerSecond();
      Double at = suspectedAt.get(site.name);
      if (rate > 0) {
        leaking.add(site.name);
        System.out.printf("leak of %.1f MiB/s: %s suspected after %s s%n", rate, site.name, at);
        areSuspectsCorrect &= rate < 1 || (at != null && at <= IN_TIME_SECONDS);
      }
    }
    Set<String> falseSuspects = new HashSet<>(suspectedAt.keySet());
    falseSuspects.removeAll(leaking);
    System.out.println("sites without a leak, but suspected: " + falseSuspects);
    return areSuspectsCorrect && falseSuspects.isEmpty();
  }

  private boolean hasNoFalseReport() {
    System.out.println("sites reported as leaking: " + reported.size());
    for (LeakTruthSite site : sites) {
      if (site.leakedMebibytesPerSecond() > 0) {
        reported.remove(site.name);
      }
    }
    reported.remove(CallStack.UNKNOWN); // counted as without a stack, so that no site is reported
    System.out.println("sites without a leak, but reported as leaking: " + reported);
    return reported.isEmpty();
  }

  /** Compares estimates with the true values while all workers are stopped. */
  private int compare() {
    LiveReport report = LibraryLeaks.SHARED.live(StackDetail.FRAMES);
    LeakReport leaks = LibraryLeaks.SHARED.leaks(StackDetail.FRAMES);
    Map<String, LiveEstimate> estimates = new HashMap<>();
    LiveEstimate total = LiveEstimate.NOTHING;
    for (LiveSite site : report.sites()) {
      estimates.merge(site.site(), site.live(), LiveEstimate::plus);
      total = total.plus(site.live());
    }
    double withoutStack = estimates.getOrDefault(CallStack.UNKNOWN, LiveEstimate.NOTHING).bytes();
    double truth = 0;
    int compared = 0;
    int beyondThree = 0;
    int beyondSix = 0;
    double squares = 0;
    for (LeakTruthSite site : sites) {
      truth += (double) site.live.get();
      LiveEstimate estimate = estimates.getOrDefault(site.name, LiveEstimate.NOTHING);
      if (estimate.samples() == 0
          || (double) site.live.get() * estimate.samples() / estimate.bytes() < FEWEST_SAMPLES) {
        continue;
      }
      double errors = errors(estimate, (double) site.live.get(), withoutStack);
      compared++;
      squares += errors * errors;
      beyondThree += Math.abs(errors) > 3 ? 1 : 0;
      beyondSix += Math.abs(errors) > 6 ? 1 : 0;
      if (Math.abs(errors) > 2.5) {
        System.out.printf(
            "%s (%s): %.0f, is %d, %.2f errors%n",
            site.name, site.life, estimate.bytes(), site.live.get(), errors);
      }
    }
    double totalErrors = errors(total, truth, 0);
    System.out.printf(
        "at %.0f s: live %.1f MiB, estimate %.1f from %d samples, %+.2f errors (%+.2f %%, error"
            + " %.2f %%); sites compared %d, mean square of errors %.2f, beyond 3: %d, beyond 6:"
            + " %d; without stack %d (%.1f MiB), not watched %d%n",
        now(),
        truth / MIB,
        total.bytes() / MIB,
        total.samples(),
        totalErrors,
        100 * (total.bytes() / truth - 1),
        100 * total.bytesError() / total.bytes(),
        compared,
        squares / compared,
        beyondThree,
        beyondSix,
        leaks.withoutStack(),
        withoutStack / MIB,
        leaks.notWatched());
    boolean isLikely =
        Math.abs(totalErrors) <= 3 && beyondThree <= MAX_BEYOND_THREE_ERRORS && beyondSix == 0;
    boolean isComplete = compared >= MIN_COMPARED && leaks.notWatched() == 0;
    return isLikely && isComplete ? TRUE : UNLIKELY;
  }

  /**
   * Returns the error of an estimate, in standard errors of a correct estimate: those of the
   * estimate itself are too small if the estimate is too small.
   *
   * @param unknown bytes that may belong to this site or another one
   */
  private static double errors(LiveEstimate estimate, double truth, double unknown) {
    double variance = estimate.bytesVariance() * truth / estimate.bytes();
    double difference = estimate.bytes() - truth;
    double left = difference < 0 ? Math.min(0, difference + unknown) : difference;
    return variance == 0 ? 0 : left / Math.sqrt(variance);
  }
}

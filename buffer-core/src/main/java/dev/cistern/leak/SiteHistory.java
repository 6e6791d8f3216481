/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How the old samples of one site come and go, in windows of some seconds.
 *
 * <p>A sample arrives when it has become old, and departs when it is released after that. A site
 * whose buffers live for some time has as many departures as arrivals, give or take chance; one
 * that leaks has too few. Samples are drawn independently, so that under the hypothesis that
 * nothing leaks each event is as likely an arrival as a departure: that is what {@link #isGrowing}
 * tests.
 */
final class SiteHistory {
  static final int WINDOWS = 64;
  private static final int FEWEST_WINDOWS = 3;

  /** Chance with which a third of a span may grow without a leak: of all three, 10^-7. */
  private static final double THIRD_CHANCE = 0.005;

  private final AtomicInteger arrivals = new AtomicInteger();
  private final AtomicInteger departures = new AtomicInteger();
  private final AtomicLong netBytes = new AtomicLong();

  /** Samples that arrived here and may still depart from here. */
  private final AtomicInteger held = new AtomicInteger();

  // Written and read by who rolls.
  private final int[] arrivalsIn = new int[WINDOWS];
  private final int[] departuresIn = new int[WINDOWS];
  private final long[] netBytesIn = new long[WINDOWS];
  private int filled;
  private int next;
  private long suspectSinceMillis;

  void arrived(long bytes) {
    held.incrementAndGet();
    arrivals.incrementAndGet();
    netBytes.addAndGet(bytes);
  }

  void departed(long bytes) {
    departures.incrementAndGet();
    netBytes.addAndGet(-bytes);
    held.decrementAndGet();
  }

  /** A sample that arrived will never depart: its buffer was garbage collected. */
  void lost() {
    held.decrementAndGet();
  }

  /**
   * Ends the window; false where nothing happened in any of those that are kept, and nobody can
   * depart from here any more: else a departure would count at a history that was let go, and the
   * arrival of what takes its place at a new one.
   */
  boolean roll(long nowMillis) {
    arrivalsIn[next] = arrivals.getAndSet(0);
    departuresIn[next] = departures.getAndSet(0);
    netBytesIn[next] = netBytes.getAndSet(0);
    next = (next + 1) % WINDOWS;
    filled = Math.min(filled + 1, WINDOWS);
    if (!isGrowing()) {
      suspectSinceMillis = 0;
    } else if (suspectSinceMillis == 0) {
      suspectSinceMillis = nowMillis;
    }
    return held.get() > 0 || !isEmpty();
  }

  private boolean isEmpty() {
    for (int i = 0; i < filled; i++) {
      if (arrivalsIn[i] != 0 || departuresIn[i] != 0) {
        return false;
      }
    }
    return true;
  }

  long suspectSinceMillis() {
    return suspectSinceMillis;
  }

  /** What the last windows have added, in bytes. */
  long growthBytes(int windows) {
    long sum = netBytes.get();
    for (int back = 1; back <= Math.min(windows, filled); back++) {
      sum += netBytesIn[index(back)];
    }
    return sum;
  }

  private int index(int back) {
    return (next - back + WINDOWS) % WINDOWS;
  }

  /** Whether the old samples have grown over some span up to now, in each third of it. */
  private boolean isGrowing() {
    for (int span = FEWEST_WINDOWS; span <= filled; span++) {
      if (grows(span)) {
        return true;
      }
    }
    return false;
  }

  private boolean grows(int span) {
    int least = Integer.MAX_VALUE;
    int total = 0;
    for (int third = 0; third < 3; third++) {
      int arrived = 0;
      int departed = 0;
      for (int back = 1 + third * span / 3; back <= (third + 1) * span / 3; back++) {
        arrived += arrivalsIn[index(back)];
        departed += departuresIn[index(back)];
      }
      if (isWithinTwoDeviations(arrived, departed)
          || chance(arrived, arrived + departed) > THIRD_CHANCE) {
        return false;
      }
      least = Math.min(least, arrived - departed);
      total += arrived - departed;
    }
    // A warm-up that has ended, and noise since: steady growth has a third of it in each third.
    return least >= total / 6 && isAboveEarlier(span, total);
  }

  /**
   * Whether there are more old samples than at any time before this span that is still known, by
   * half of what the span has added: what is gathered and let go as one, time and again, grows in
   * between and does not leak.
   */
  private boolean isAboveEarlier(int span, int added) {
    int more = 0;
    for (int back = 1; back <= filled; back++) {
      more += arrivalsIn[index(back)] - departuresIn[index(back)];
      if (back > span && 2L * more < added) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is no use to look closer, which takes long where there were many events. */
  static boolean isWithinTwoDeviations(int arrived, int departed) {
    long more = (long) arrived - departed;
    return more <= 0 || more * more < 4L * (arrived + departed);
  }

  /** The chance of at least {@code hits} heads in {@code throwsOfCoin} throws of a fair coin. */
  static double chance(int hits, int throwsOfCoin) {
    if (hits * 2L <= throwsOfCoin) {
      return 1;
    }
    if (throwsOfCoin > 1_000) {
      double z = (2.0 * hits - 1 - throwsOfCoin) / Math.sqrt(throwsOfCoin);
      return Math.exp(-z * z / 2); // Chernoff's bound, above the true chance
    }
    double logOfOne = -throwsOfCoin * Math.log(2);
    double sum = 0;
    for (int k = throwsOfCoin; k >= hits; k--) {
      sum += Math.exp(logOfOne);
      logOfOne += Math.log(k) - Math.log(throwsOfCoin - k + 1.0);
    }
    return sum;
  }
}

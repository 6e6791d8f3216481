/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Arrivals and departures of the old samples of one site, in windows of some seconds.
 *
 * <p>A sample arrives when it becomes old, and departs when it is released after that. A site
 * without a leak has about as many departures as arrivals; a site with a leak has too few. {@link
 * #isGrowing} searches for a span of windows up to now over which the old samples grew
 *
 * <ul>
 *   <li>by more than chance makes likely if each event is an arrival or a departure with the same
 *       probability, over the whole span and in each third of it;
 *   <li>by more than the windows differ, because the samples of a batch are not independent events;
 *   <li>by similar amounts in all thirds, unlike a warm-up that has ended;
 *   <li>to more than at each known time before it, because batches that are released together grow
 *       meanwhile and do not leak.
 * </ul>
 *
 * <p>It cannot distinguish a leak from a long warm-up: a site whose buffers are in use for 30 s and
 * more can be a suspect until as many are released as are allocated.
 *
 * <p>In simulated time, with windows of five seconds: no suspicion in 360 hours of sites with
 * steady allocations after their warm-up, at up to ten samples a second; two in 240 hours of
 * batches of twenty samples; of 200 leaks of two samples a second all found after 50 s, of one
 * sample a second half after 45 s and 95 % after 55 s.
 */
final class SiteHistory {
  static final int WINDOWS = 64;

  /**
   * Minimum length of a span, so that a warm-up of buffers that are in use for 25 s is no suspect.
   */
  private static final int MIN_WINDOWS = 7;

  /**
   * Minimum negative logarithm of the probability of chance: 10^-7 for a span, 0.05 for a third.
   */
  private static final double SPAN_EVIDENCE = 16.1;

  private static final double THIRD_EVIDENCE = 3.0;

  /** Minimum growth over a span in standard errors, from the differences of its windows. */
  private static final double SPAN_ERRORS = 4.5;

  /** Inverse of the minimum part of the growth in each third of a span. */
  private static final int MIN_PART_DIVISOR = 8;

  private final AtomicInteger arrivals = new AtomicInteger();
  private final AtomicInteger departures = new AtomicInteger();
  private final AtomicLong netBytes = new AtomicLong();

  /** Number of samples that arrived and can still depart. */
  private final AtomicInteger held = new AtomicInteger();

  // Only the thread that rolls uses the fields below, under the lock of the trends.
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

  /** Removes an arrived sample that will never depart: its buffer was garbage collected. */
  void lost() {
    held.decrementAndGet();
  }

  /**
   * Ends the window.
   *
   * @return false if the history can be dropped: all windows are empty, and no sample can depart. A
   *     departure from a dropped history would be missing at the site's new one.
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

  /** Returns the bytes that the last windows have added. */
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

  /** Returns whether the old samples have grown steadily over a span up to now. */
  private boolean isGrowing() {
    int[] arrived = new int[filled + 1];
    int[] departed = new int[filled + 1];
    double netSquares = 0;
    for (int back = 1; back <= filled; back++) {
      int in = arrivalsIn[index(back)];
      int out = departuresIn[index(back)];
      arrived[back] = arrived[back - 1] + in;
      departed[back] = departed[back - 1] + out;
      netSquares += (double) (in - out) * (in - out);
      if (back >= MIN_WINDOWS
          && isBeyondNoise(back, arrived[back] - departed[back], netSquares)
          && grows(arrived, departed, back)
          && isAboveEarlier(back, arrived[back] - departed[back])) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBeyondNoise(int windows, int net, double netSquares) {
    double squaresAroundMean = netSquares - (double) net * net / windows;
    double variance = squaresAroundMean * windows / (windows - 1);
    return net > 0 && (double) net * net >= SPAN_ERRORS * SPAN_ERRORS * variance;
  }

  private static boolean grows(int[] arrived, int[] departed, int span) {
    if (evidence(arrived[span], departed[span]) < SPAN_EVIDENCE) {
      return false;
    }
    int net = arrived[span] - departed[span];
    for (int third = 0; third < 3; third++) {
      int from = third * span / 3;
      int to = (third + 1) * span / 3;
      int in = arrived[to] - arrived[from];
      int out = departed[to] - departed[from];
      if (evidence(in, out) < THIRD_EVIDENCE || (long) (in - out) * MIN_PART_DIVISOR < net) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the old samples exceed those at each known time before the span, by half of the
   * growth over the span.
   */
  private boolean isAboveEarlier(int span, int added) {
    int more = added;
    for (int back = span + 1; back <= filled; back++) {
      more += arrivalsIn[index(back)] - departuresIn[index(back)];
      if (2L * more < added) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns a lower bound (Chernoff) of the negative logarithm of a probability: that of at least
   * so many arrivals if arrivals and departures are equally likely. Returns 0 if there are not more
   * arrivals.
   */
  static double evidence(int arrived, int departed) {
    if (arrived <= departed) {
      return 0;
    }
    double all = (double) arrived + departed;
    double ofDepartures = departed == 0 ? 0 : departed * Math.log(departed / all);
    return all * Math.log(2) + arrived * Math.log(arrived / all) + ofDepartures;
  }
}

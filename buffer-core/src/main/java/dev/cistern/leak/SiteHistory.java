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
 * that leaks has too few. {@link #isGrowing} looks for a span of windows up to now over which the
 * old samples grew
 *
 * <ul>
 *   <li>by more than chance makes likely where each event is as well an arrival as a departure,
 *       over the whole span and in each third of it;
 *   <li>by more than the windows differ among themselves: batches come and go together, and are not
 *       as many independent events as they have samples;
 *   <li>in all of its thirds about alike, which a warm-up that has ended does not;
 *   <li>to more than there were before it, as far as that is known: what is gathered and let go as
 *       one, time and again, grows in between and does not leak.
 * </ul>
 *
 * <p>It cannot tell a leak from a warm-up that lasts: a site whose buffers live for 30 s and more
 * may be a suspect until as many are released as are allocated.
 *
 * <p>In simulated time, with windows of five seconds: no suspicion in 360 hours of sites with
 * steady allocations after their warm-up, at up to ten samples a second; two in 240 hours of
 * batches of twenty samples; of 200 leaks of two samples a second all found after 50 s, of one
 * sample a second half after 45 s and 95 % after 55 s.
 */
final class SiteHistory {
  static final int WINDOWS = 64;

  /** A warm-up that is over sooner makes no suspect: that of buffers that live for 25 s. */
  private static final int FEWEST_WINDOWS = 7;

  /** Against chance, in natural logarithms: 10^-7 over a span, 0.05 for each third of it. */
  private static final double SPAN_EVIDENCE = 16.1;

  private static final double THIRD_EVIDENCE = 3.0;

  /** Growth over a span in standard errors of it, as the differences of its windows show them. */
  private static final double SPAN_ERRORS = 4.5;

  /** What each third of a span has of the growth at least: a part in so many. */
  private static final int LEAST_PART = 8;

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

  /** Whether the old samples have grown over some span up to now, steadily. */
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
      if (back >= FEWEST_WINDOWS
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
      if (evidence(in, out) < THIRD_EVIDENCE || (long) (in - out) * LEAST_PART < net) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether there are more old samples than at any time before this span that is still known, by
   * half of what the span has added.
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
   * The chance of at least so many arrivals among all events if each is as well a departure: its
   * negative logarithm, or less (Chernoff's bound). 0 where there are not more arrivals.
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

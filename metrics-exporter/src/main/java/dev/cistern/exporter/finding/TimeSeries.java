/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A figure over the last hour: its last, lowest and highest value in steps of five seconds for ten
 * minutes, and its highest in steps of a minute for an hour. Not thread-safe.
 */
final class TimeSeries {
  /** Value of a step without a sample. */
  static final long NONE = Long.MIN_VALUE;

  static final long STEP_MILLIS = 5_000;
  private static final int STEPS = 120;
  private static final long LONG_STEP_MILLIS = 60_000;
  private static final int LONG_STEPS = 60;

  private final long[] last = filled(STEPS);
  private final long[] low = filled(STEPS);
  private final long[] high = filled(STEPS);
  private final long[] longHigh = filled(LONG_STEPS);

  /** Number of the newest step; -1 before the first sample. */
  private long step = -1;

  private long longStep = -1;
  private long firstMillis;
  private long lastMillis;

  private static long[] filled(int length) {
    long[] values = new long[length];
    Arrays.fill(values, NONE);
    return values;
  }

  /**
   * Growth over a span.
   *
   * @param bytes difference of the last and the first value
   * @param isSteady whether each part of the span has at least half of its share of the growth
   * @param millis length of the span
   */
  record Growth(long bytes, boolean isSteady, long millis) {
    /** No growth. */
    static final Growth NONE = new Growth(0, false, 0);
  }

  /**
   * Adds a sample.
   *
   * @param millis time of the sample on a monotonic clock
   */
  void add(long millis, long value) {
    if (step < 0) {
      firstMillis = millis;
    }
    lastMillis = millis;
    long now = millis / STEP_MILLIS;
    for (long empty = Math.max(step + 1, now - STEPS + 1); empty <= now; empty++) {
      int at = (int) (empty % STEPS);
      last[at] = NONE;
      low[at] = NONE;
      high[at] = NONE;
    }
    step = now;
    int at = (int) (now % STEPS);
    last[at] = value;
    low[at] = low[at] == NONE ? value : Math.min(low[at], value);
    high[at] = Math.max(high[at], value);
    long longNow = millis / LONG_STEP_MILLIS;
    for (long empty = Math.max(longStep + 1, longNow - LONG_STEPS + 1); empty <= longNow; empty++) {
      longHigh[(int) (empty % LONG_STEPS)] = NONE;
    }
    longStep = longNow;
    int longAt = (int) (longNow % LONG_STEPS);
    longHigh[longAt] = Math.max(longHigh[longAt], value);
  }

  /** Returns the time between the first and the last sample. */
  long coveredMillis() {
    return step < 0 ? 0 : lastMillis - firstMillis;
  }

  /** Returns the newest value; 0 before the first. */
  long now() {
    return step < 0 ? 0 : last[(int) (step % STEPS)];
  }

  /** Returns the highest value of the last seconds, up to ten minutes; 0 if there is none. */
  long max(long seconds) {
    long found = NONE;
    for (long back = 0; back < steps(seconds); back++) {
      found = Math.max(found, at(high, back));
    }
    return found == NONE ? 0 : found;
  }

  /** Returns the lowest value of the last seconds, up to ten minutes; 0 if there is none. */
  long min(long seconds) {
    long found = Long.MAX_VALUE;
    for (long back = 0; back < steps(seconds); back++) {
      long value = at(low, back);
      found = value == NONE ? found : Math.min(found, value);
    }
    return found == Long.MAX_VALUE ? 0 : found;
  }

  /** Returns the highest value of the last hour; 0 if there is none. */
  long maxOfHour() {
    long found = NONE;
    for (long value : longHigh) {
      found = Math.max(found, value);
    }
    return found == NONE ? 0 : found;
  }

  /**
   * Returns the time in milliseconds since the value last reached a bound; the covered time, up to
   * ten minutes, if it never did.
   */
  long millisSinceAtLeast(long bound) {
    for (long back = 0; back < steps(TimeUnit.HOURS.toSeconds(1)); back++) {
      long value = at(high, back);
      if (value != NONE && value >= bound) {
        return back == 0 ? 0 : lastMillis - (step - back + 1) * STEP_MILLIS;
      }
    }
    return Math.min(coveredMillis(), STEPS * STEP_MILLIS);
  }

  /** Returns how often the value has risen to a bound from below three quarters of it. */
  int peaks(long bound) {
    int peaks = 0;
    boolean isAbove = false;
    for (long back = STEPS - 1; back >= 0; back--) {
      if (step - back < 0) {
        continue;
      }
      long value = at(high, back);
      if (value == NONE) {
        continue;
      }
      if (!isAbove && value >= bound) {
        isAbove = true;
        peaks++;
      } else if (isAbove && at(low, back) < bound / 4 * 3) {
        isAbove = false;
      }
    }
    return peaks;
  }

  /** Returns the growth over the last seconds, computed from the last value of each step. */
  Growth growth(long seconds) {
    return growth(seconds, last, 3);
  }

  /** Returns the growth over the last seconds, computed from the lowest value of each step. */
  Growth growthOfLow(long seconds) {
    return growth(seconds, low, 3);
  }

  /**
   * Returns whether the value has grown all the time and still grows. It must grow in each sixth of
   * the last seconds, cover four fifths of them or more, and never fall by more than a sixth of the
   * growth. Periodic figures fall, although they may look like growth at some intervals.
   */
  boolean isLasting(long seconds) {
    Growth growth = growth(seconds, last, 6);
    return growth.isSteady() && isRising(seconds, growth.bytes() / 6);
  }

  private boolean isRising(long seconds, long tolerance) {
    long highest = NONE;
    for (long back = steps(seconds) - 1; back >= 0; back--) {
      long value = at(low, back);
      if (value != NONE) {
        if (highest != NONE && value < highest - tolerance) {
          return false;
        }
        highest = Math.max(highest, value);
      }
    }
    return true;
  }

  private Growth growth(long seconds, long[] values, int parts) {
    long span = seconds * 1_000 / STEP_MILLIS;
    if (coveredMillis() < seconds * 1_000 || span < 3) {
      return Growth.NONE;
    }
    long[] corners = new long[parts + 1];
    for (int corner = 0; corner < corners.length; corner++) {
      long value = near(values, span - span * corner / parts);
      if (value == NONE) {
        return Growth.NONE;
      }
      corners[corner] = value;
    }
    long bytes = corners[parts] - corners[0];
    boolean isSteady = bytes > 0;
    for (int part = 0; part < parts; part++) {
      isSteady &= 2L * parts * (corners[part + 1] - corners[part]) >= bytes;
    }
    return new Growth(bytes, isSteady, seconds * 1_000);
  }

  /** Returns the value of a step, or of the next step that has a sample. */
  private long near(long[] values, long back) {
    for (long at = Math.min(back, STEPS - 1); at >= 0; at--) {
      long value = at(values, at);
      if (value != NONE) {
        return value;
      }
    }
    return NONE;
  }

  /**
   * Returns the highest values of windows of equal length, oldest first, as pairs of seconds and
   * value.
   */
  double[][] highOfWindows(int stepsOfWindow, long seconds) {
    double[][] points = new double[(int) (steps(seconds) / stepsOfWindow)][];
    int count = 0;
    for (int window = points.length - 1; window >= 0; window--) {
      long found = NONE;
      for (int i = 0; i < stepsOfWindow; i++) {
        found = Math.max(found, at(high, (long) window * stepsOfWindow + i));
      }
      if (found != NONE) {
        double at = -(double) window * stepsOfWindow * STEP_MILLIS / 1e3;
        points[count++] = new double[] {at, found};
      }
    }
    return Arrays.copyOf(points, count);
  }

  private long at(long[] values, long back) {
    long number = step - back;
    return number < 0 ? NONE : values[(int) (number % STEPS)];
  }

  /** Returns the number of steps in the last seconds. */
  private long steps(long seconds) {
    return Math.max(1, Math.min(Math.min(STEPS, step + 1), seconds * 1_000 / STEP_MILLIS));
  }
}

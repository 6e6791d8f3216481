/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.schema.Figure;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Time until a limit is reached. It is computed from peaks, because an allocation at a peak fails:
 * the highest use of each half minute of the last ten minutes.
 *
 * <p>The rate is the median of the slopes between all pairs of these points (Sen 1968), which a
 * single peak does not change. The range has the lower and upper quarter of the slopes. If use
 * falls as often as it rises, there is no time.
 *
 * <p>A part of the use may have a lower limit, such as the Java heap in a container, which has
 * {@code -Xmx}. It grows at its rate up to that limit, and then only the rest grows.
 */
final class Outlook {
  private static final int STEPS_OF_WINDOW = 6;
  private static final long SPAN_SECONDS = 600;

  /** Number of last points, a minute, in which use must still have grown. */
  private static final int RECENT_POINTS = 2;

  /**
   * Minimum number of points, four minutes, because a starting process fills its caches and pools.
   */
  private static final int MIN_POINTS = 8;

  /** Maximum time that is shown. A rate of ten minutes does not predict a longer one. */
  private static final long MAX_MILLIS = TimeUnit.HOURS.toMillis(24);

  /** Minimum growth over the points, as a part of the limit. Less is noise. */
  private static final double MIN_PART = 0.005;

  private Outlook() {}

  /**
   * A part of the use that has a lower limit.
   *
   * @param rate its growth in bytes per second
   * @param leftBytes bytes by which it can still grow
   */
  record Bounded(double rate, double leftBytes) {
    /** The value if there is no such part. */
    static final Bounded NONE = new Bounded(0, 0);

    /**
     * Returns the bounded part of a figure. With less than two points, its growth is not known and
     * counts as none.
     */
    static Bounded of(TimeSeries used, long limitBytes) {
      double[][] points = used.highOfWindows(STEPS_OF_WINDOW, SPAN_SECONDS);
      if (points.length < 2) {
        return NONE;
      }
      double[] slopes = slopes(points);
      return new Bounded(
          Math.max(0, slopes[slopes.length / 2]), Math.max(0, limitBytes - used.now()));
    }

    /** Returns the time until all use has grown by some bytes, in milliseconds. */
    private long millis(double bytes, double rateOfAll) {
      double ownRate = Math.min(rate, rateOfAll);
      double seconds = bytes / rateOfAll;
      if (ownRate * seconds > leftBytes) {
        seconds = (bytes - leftBytes) / (rateOfAll - ownRate); // infinite if only this part grows
      }
      return Math.round(Math.min(1e15, 1e3 * seconds));
    }
  }

  /** Returns the outlook of a limit. */
  static Diagnosis.Limit of(String name, TimeSeries used, long limitBytes, Bounded bounded) {
    Diagnosis.Limit none = Diagnosis.Limit.of(name, used.now(), limitBytes);
    double[][] points = used.highOfWindows(STEPS_OF_WINDOW, SPAN_SECONDS);
    if (points.length < MIN_POINTS || limitBytes <= 0) {
      return none;
    }
    double[] slopes = slopes(points);
    double lower = slopes[slopes.length / 4];
    double median = slopes[slopes.length / 2];
    double upper = slopes[slopes.length * 3 / 4];
    double span = points[points.length - 1][0] - points[0][0];
    double peak = points[points.length - 1][1];
    int recent = points.length - RECENT_POINTS;
    boolean hasEnded =
        highest(points, recent, points.length) <= highest(points, recent - RECENT_POINTS, recent);
    if (hasEnded || lower <= 0 || median * span < MIN_PART * limitBytes) {
      return none;
    }
    double left = Math.max(0, limitBytes - peak);
    long millis = bounded.millis(left, median);
    if (millis > MAX_MILLIS) {
      return none;
    }
    long latest = bounded.millis(left, lower);
    return new Diagnosis.Limit(
        name,
        used.now(),
        limitBytes,
        millis,
        bounded.millis(left, upper),
        latest > MAX_MILLIS ? Figure.ABSENT : latest);
  }

  private static double highest(double[][] points, int from, int to) {
    double highest = 0;
    for (int i = from; i < to; i++) {
      highest = Math.max(highest, points[i][1]);
    }
    return highest;
  }

  private static double[] slopes(double[][] points) {
    double[] slopes = new double[points.length * (points.length - 1) / 2];
    int count = 0;
    for (int i = 0; i < points.length; i++) {
      for (int j = i + 1; j < points.length; j++) {
        slopes[count++] = (points[j][1] - points[i][1]) / (points[j][0] - points[i][0]);
      }
    }
    Arrays.sort(slopes);
    return slopes;
  }
}

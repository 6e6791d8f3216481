/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last hour of a process before its end: its direct memory, and the begin of the growth of its
 * sites.
 */
final class RunUp {
  /** Times before the end for which a line is shown, in milliseconds. */
  private static final long[] BEFORE = {
    3_600_000, 2_700_000, 1_800_000, 1_200_000, 600_000, 300_000, 120_000, 60_000, 30_000, 10_000, 0
  };

  /**
   * Part of a site's final bytes up to which it counts as low. The site grows since it was last
   * low.
   */
  private static final double LOW = 0.1;

  private static final String MEMORY = "direct";

  private RunUp() {}

  /** Returns lines of text; none without a history. */
  static List<String> lines(History history, long endMillis) {
    List<String> lines = new ArrayList<>();
    List<History.Point> points = history.points();
    if (points.isEmpty()) {
      return lines;
    }
    lines.add("");
    lines.add("Run-up, " + MEMORY + " memory");
    Map<Long, History.Point> shown = new LinkedHashMap<>(); // by time
    for (long before : BEFORE) {
      points.stream()
          .filter(point -> point.timeMillis() <= endMillis - before)
          .reduce((earlier, later) -> later)
          .ifPresent(point -> shown.put(point.timeMillis(), point));
    }
    for (History.Point point : shown.values()) {
      lines.add("  " + TextFormat.time(point.timeMillis()) + figures(history, point));
    }
    begins(points).forEach((site, begin) -> lines.add("  " + TextFormat.plain(site) + " " + begin));
    return lines;
  }

  private static String figures(History history, History.Point point) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < history.columns().size(); i++) {
      History.Column column = history.columns().get(i);
      long value = point.values().get(i);
      if (column.memory().equals(MEMORY) && value != Figure.ABSENT) {
        boolean isBytes = column.key().endsWith("_bytes");
        text.append(text.length() == 0 ? "  " : ", ")
            .append(column.key().replaceAll("_bytes$", "").replace('_', ' '))
            .append(' ')
            .append(isBytes ? TextFormat.bytes(value) : TextFormat.count(value));
      }
    }
    return text.toString();
  }

  /** Returns for each site of the last point its bytes, and the begin of its growth. */
  private static Map<String, String> begins(List<History.Point> points) {
    Map<String, String> begins = new LinkedHashMap<>();
    for (History.Site site : points.get(points.size() - 1).sites()) {
      if (!site.name().isEmpty()) {
        History.Point low = lastLow(points, site);
        begins.put(
            site.name(),
            "held "
                + TextFormat.bytes(site.bytes())
                + (low == null
                    ? " at the end, and more than a tenth of that before the history begins"
                    : " at the end, and a tenth of that or less until "
                        + TextFormat.time(low.timeMillis())));
      }
    }
    return begins;
  }

  /** Returns the last point at which a site was low. */
  private static History.@Nullable Point lastLow(List<History.Point> points, History.Site site) {
    History.Point low = null;
    for (History.Point point : points) {
      low = mostBytes(point, site.name()) <= LOW * site.bytes() ? point : low;
    }
    return low;
  }

  /**
   * Returns the maximum bytes of a site at a point. A missing site has none, or up to the bytes of
   * the smallest listed site if the point is full.
   */
  private static long mostBytes(History.Point point, String site) {
    long least = point.sites().size() < History.SITES ? 0 : Long.MAX_VALUE;
    for (History.Site each : point.sites()) {
      if (each.name().equals(site)) {
        return each.bytes();
      }
      least = Math.min(least, each.bytes());
    }
    return least;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.util.List;
import java.util.Map;

/** A series of a query result. */
record Series(Map<String, String> labels, List<Point> points) {
  /** A value and its time since the epoch. */
  record Point(double seconds, double value) {}

  double last() {
    return points.get(points.size() - 1).value();
  }

  double mean() {
    return points.stream().mapToDouble(Point::value).average().orElse(Double.NaN);
  }
}

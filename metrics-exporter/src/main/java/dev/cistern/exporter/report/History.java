/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.List;

/**
 * The last hour of a process: its main figures and its largest sites, in steps of ten seconds, and
 * the last five minutes in steps of one second.
 *
 * @param columns descriptions of the values of each point
 * @param points points in time, oldest first
 */
public record History(List<Column> columns, List<Point> points) {
  /** History of a process that has none. */
  public static final History NONE = new History(List.of(), List.of());

  /** Maximum number of sites of a point: the largest at its time. */
  public static final int SITES = 8;

  /** Copies the lists. */
  public History {
    columns = List.copyOf(columns);
    points = List.copyOf(points);
  }

  /**
   * A figure.
   *
   * @param key its name in JSON
   * @param memory {@code direct} or {@code heap} for the sum over the pools of that memory; empty
   *     for a figure of the process, or for the sum over its copies
   */
  public record Column(String key, String memory) {}

  /**
   * The values at one time.
   *
   * @param timeMillis the time, in milliseconds since the epoch
   * @param values by column; {@link dev.cistern.exporter.schema.Figure#ABSENT} if unknown
   * @param sites the sites with the most live bytes
   */
  public record Point(long timeMillis, List<Long> values, List<Site> sites) {}

  /**
   * A site at one time.
   *
   * @param name its name
   * @param bytes estimate of its live bytes
   */
  public record Site(String name, long bytes) {}
}

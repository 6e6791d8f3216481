/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.LiveEstimate;
import java.util.List;

/**
 * Figures of sites, which are read from the reports of leaks and live buffers. Only some sites have
 * their own series; the exporter selects them.
 */
public final class SiteFigures {
  /** A site with leaks. */
  public static final Scope<LeakedSite> LEAK_SITE =
      CopyFigures.COPY
          .<LeakedSite>child(4, "leak_sites", 1, copy -> List.of())
          .detail(Detail.CORE)
          .label("memory", LeakedSite::memory)
          .label("site", LeakedSite::site);

  /** A site with live buffers. */
  public static final Scope<HoldingSite> LIVE_SITE =
      CopyFigures.COPY
          .<HoldingSite>child(5, "live_sites", 1, copy -> List.of())
          .label("memory", HoldingSite::memory)
          .label("site", HoldingSite::site);

  private static final Scope<Aged> AGE =
      LIVE_SITE
          .child(1, "ages", Age.values().length, Aged::of)
          .label("age", aged -> label(aged.age()));

  private SiteFigures() {}

  /**
   * Leaks of one site, or of all sites without their own series.
   *
   * @param memory {@code direct} or {@code heap}
   * @param site value of the label
   * @param leaks watched buffers that leaked
   * @param bytes estimate of all leaked bytes
   */
  public record LeakedSite(String memory, String site, long leaks, long bytes) {}

  /**
   * Live buffers of one site, or of all sites without their own series.
   *
   * @param memory {@code direct} or {@code heap}
   * @param site value of the label
   * @param live estimate
   */
  public record HoldingSite(String memory, String site, LiveEstimate live) {}

  private record Aged(LiveEstimate live, Age age) {
    static List<Aged> of(HoldingSite site) {
      return List.of(Age.values()).stream().map(age -> new Aged(site.live(), age)).toList();
    }
  }

  /** Returns the value of the label {@code age}, which is also the name in JSON. */
  public static String label(Age age) {
    return switch (age) {
      case UNDER_10_SECONDS -> "under_10s";
      case UNDER_1_MINUTE -> "under_1m";
      case UNDER_10_MINUTES -> "under_10m";
      case OLDER -> "older";
    };
  }

  static {
    LEAK_SITE
        .counter(1, "cistern_leaks_total", LeakedSite::leaks)
        .help(
            "Number of watched buffers that were garbage collected unreleased since start, by"
                + " allocation site.");
    LEAK_SITE
        .counter(2, "cistern_leaked_bytes_total", LeakedSite::bytes)
        .help(
            "Number of leaked bytes since start that these buffers represent, an unbiased estimate,"
                + " by allocation site.");
    LIVE_SITE
        .gauge(1, "cistern_live_buffers", site -> Math.round(site.live().buffers()))
        .help(
            "Current number of buffers that are not released, an unbiased estimate, by allocation"
                + " site.")
        .internal();
    AGE.gauge(1, "cistern_live_bytes", aged -> Math.round(aged.live().bytes(aged.age())))
        .help(
            "Current bytes of allocations that are not released, as requested, an unbiased"
                + " estimate, by allocation site and age.");
  }
}

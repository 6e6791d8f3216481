/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.LiveSites;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.ChunkHolder;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.PinnedSite;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Selection of the parts of a report.
 *
 * @param full whether to show every frame, site and stack, even if that is too much for a terminal
 * @param siteFilter text that a site must contain, in any case, or its hash; empty for all sites
 */
public record ReportOptions(boolean full, String siteFilter) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{12}");

  /** Options for all sites, folded for a terminal. */
  public static final ReportOptions FOLDED = new ReportOptions(false, "");

  /** Options for a complete report. */
  public static final ReportOptions FULL = new ReportOptions(true, "");

  public static ReportOptions of(Request request) {
    return new ReportOptions(request.asks("full=true"), request.parameter("site"));
  }

  boolean shows(String site) {
    return site.toLowerCase(Locale.ROOT).contains(siteFilter.toLowerCase(Locale.ROOT))
        || (HASH.matcher(siteFilter).matches() && siteFilter.equals(SiteLabel.hashOfSite(site)));
  }

  /** Returns the selected sites. */
  List<LiveSite> sites(LiveReport live) {
    return LiveSites.of(live).stream().filter(site -> shows(site.site())).toList();
  }

  /** Returns the selected sites that keep nearly empty chunks. */
  List<ChunkHolder> holders(LiveReport live) {
    return live.detail().holders().stream().filter(holder -> shows(holder.site())).toList();
  }

  /** Returns the live buffers of the selected sites by holder. */
  List<HeldSite> held(CopyView copy) {
    return copy.held().stream().filter(each -> shows(each.site())).toList();
  }

  /** Returns the live buffers of the selected sites that slices keep. */
  List<PinnedSite> pinned(CopyView copy) {
    return copy.pinned().stream().filter(each -> shows(each.site())).toList();
  }

  /**
   * Returns a note, to be shown below a title, that only some sites are shown; empty without a
   * filter.
   */
  String note() {
    return siteFilter.isEmpty()
        ? ""
        : "Only sites that contain \"" + TextFormat.plain(siteFilter) + "\".\n";
  }
}

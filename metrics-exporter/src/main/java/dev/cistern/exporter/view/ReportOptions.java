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
 * Selection of the parts of a report that a reader wants.
 *
 * @param full whether every frame, site and stack, even where that is too much for a terminal
 * @param siteFilter text that a site must contain, in any case, or its hash; empty for all
 */
public record ReportOptions(boolean full, String siteFilter) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{12}");

  /** All sites, folded for a terminal. */
  public static final ReportOptions FOLDED = new ReportOptions(false, "");

  /** Everything. */
  public static final ReportOptions FULL = new ReportOptions(true, "");

  public static ReportOptions of(Request request) {
    return new ReportOptions(request.asks("full=true"), request.parameter("site"));
  }

  boolean shows(String site) {
    return site.toLowerCase(Locale.ROOT).contains(siteFilter.toLowerCase(Locale.ROOT))
        || (HASH.matcher(siteFilter).matches() && siteFilter.equals(SiteLabel.hashOfSite(site)));
  }

  /** Returns the sites that the reader wants to see. */
  List<LiveSite> sites(LiveReport live) {
    return LiveSites.of(live).stream().filter(site -> shows(site.site())).toList();
  }

  /** Returns the sites that keep nearly empty chunks, of those that the reader wants to see. */
  List<ChunkHolder> holders(LiveReport live) {
    return live.detail().holders().stream().filter(holder -> shows(holder.site())).toList();
  }

  /** Returns the live buffers by holder, of the sites that the reader wants to see. */
  List<HeldSite> held(CopyView copy) {
    return copy.held().stream().filter(each -> shows(each.site())).toList();
  }

  /** Returns the live buffers that slices keep, of the sites that the reader wants to see. */
  List<PinnedSite> pinned(CopyView copy) {
    return copy.pinned().stream().filter(each -> shows(each.site())).toList();
  }

  /** Says below a title that not all is shown; nothing without a filter. */
  String note() {
    return siteFilter.isEmpty()
        ? ""
        : "Only sites that contain \"" + TextFormat.plain(siteFilter) + "\".\n";
  }
}

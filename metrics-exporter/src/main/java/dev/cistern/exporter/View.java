/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a reader wants to see of a report.
 *
 * @param full whether every frame, site and stack, even where that is too much for a terminal
 * @param siteFilter text that a site must contain, in any case, or its hash; empty for all
 */
record View(boolean full, String siteFilter) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{12}");

  /** All sites, folded for a terminal. */
  static final View FOLDED = new View(false, "");

  /** Everything. */
  static final View FULL = new View(true, "");

  static View of(Request request) {
    return new View(request.asks("full=true"), request.parameter("site"));
  }

  boolean shows(String site) {
    return site.toLowerCase(Locale.ROOT).contains(siteFilter.toLowerCase(Locale.ROOT))
        || (HASH.matcher(siteFilter).matches() && siteFilter.equals(SiteLabel.hashOfSite(site)));
  }

  /** Says below a title that not all is shown; nothing without a filter. */
  String note() {
    return siteFilter.isEmpty()
        ? ""
        : "Only sites that contain \"" + Text.plain(siteFilter) + "\".\n";
  }
}

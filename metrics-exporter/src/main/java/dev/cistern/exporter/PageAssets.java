/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that the page for people is made of: this list and no other. The path of a request
 * looks one up, and is never a file name.
 */
final class PageAssets {
  /** Where they are asked for. */
  static final String PREFIX = "/assets/";

  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final List<String> SCRIPTS =
      List.of(
          "api.js",
          "app.js",
          "charts.js",
          "copy.js",
          "format.js",
          "history.js",
          "hosts.js",
          "memory.js",
          "netty.js",
          "parts.js",
          "sites.js",
          "stacks.js",
          "theme.js",
          "lib/lit-html/directive-helpers.js",
          "lib/lit-html/directive.js",
          "lib/lit-html/directives/repeat.js",
          "lib/lit-html/lit-html.js",
          "lib/uplot/uPlot.iife.min.js");

  private static final List<String> STYLES = List.of("page.css", "lib/uplot/uPlot.min.css");

  private PageAssets() {}

  /** The page itself, and what it loads, by path. */
  static Map<String, Page> pages() {
    Map<String, Page> pages = new LinkedHashMap<>();
    pages.put("/", new AssetPage("index.html", HTML));
    SCRIPTS.forEach(name -> pages.put(PREFIX + name, new AssetPage(name, SCRIPT)));
    STYLES.forEach(name -> pages.put(PREFIX + name, new AssetPage(name, CSS)));
    return pages;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import com.grack.nanojson.JsonStringWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.Router;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files of the browser page, in a fixed list. The path of a request is looked up in the list
 * and is never used as a file name.
 */
public final class PageAssets {
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private PageAssets() {}

  /** Returns the page itself and the files that it loads, by path. */
  public static Map<String, Page> pages() {
    Map<String, Page> pages = new LinkedHashMap<>();
    pages.put("/", AssetPage.ofFile("index.html", Response.HTML));
    pages.put(Router.ASSETS + "page.js", AssetPage.ofFile("page.js", SCRIPT));
    pages.put(Router.ASSETS + "page.css", AssetPage.ofFile("page.css", CSS));
    pages.put(
        Router.ASSETS + "catalogue.json",
        new AssetPage(Response.JSON, () -> catalogue().getBytes(StandardCharsets.UTF_8)));
    return pages;
  }

  /** Returns the names and descriptions of all metrics, by their keys in {@code /state}. */
  private static String catalogue() {
    JsonStringWriter json = JsonWriter.string().object();
    for (Scope<?> scope : Schema.scopes()) {
      for (Figure<?> figure : scope.figures()) {
        json.object(figure.key()).value("name", figure.name()).value("help", figure.help()).end();
      }
    }
    return json.end().done();
  }
}

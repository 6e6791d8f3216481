/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.schema.Figure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** {@code /history}: the last hour of a process, for charts. */
public record HistoryPage(Hosts hosts) implements Page {
  @Override
  public Response respond(Request request) throws IOException {
    HostView host = StatePage.choose(hosts.all(), request.parameter("host"));
    if (host == null) {
      return Response.line(Response.NOT_FOUND, "There is no such host.");
    }
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    write(hosts.history(host), StatePage.siteNames(request.client()), json);
    return Response.ok(Response.JSON, json.toByteArray());
  }

  /**
   * Writes a history. Each column, and each site that was among the largest at any time, has one
   * value for each time. The values of a site are bytes.
   *
   * @param siteNames maps the name of a site to the text to show
   */
  static void write(History history, UnaryOperator<String> siteNames, OutputStream out) {
    JsonAppendableWriter json = JsonWriter.on(out).object().array("times_millis");
    history.points().forEach(point -> json.value(point.timeMillis()));
    json.end().array("columns");
    for (int i = 0; i < history.columns().size(); i++) {
      History.Column column = history.columns().get(i);
      json.object().value("key", column.key()).value("memory", column.memory()).array("values");
      for (History.Point point : history.points()) {
        long value = point.values().get(i);
        value(json, value);
      }
      json.end().end();
    }
    json.end().array("sites");
    sites(history)
        .forEach(
            (name, bytes) -> {
              json.object().value("site", siteNames.apply(name)).array("values");
              for (long each : bytes) {
                value(json, each);
              }
              json.end().end();
            });
    json.end().end().done();
  }

  private static void value(JsonAppendableWriter json, long value) {
    if (value == Figure.ABSENT) {
      json.nul();
    } else {
      json.value(value);
    }
  }

  /**
   * Returns the bytes of each site by time. A missing site had no live bytes, but its bytes are
   * unknown if the point is full or lacks a name.
   */
  private static Map<String, long[]> sites(History history) {
    Map<String, long[]> sites = new LinkedHashMap<>();
    int count = history.points().size();
    for (int i = 0; i < count; i++) {
      for (History.Site site : history.points().get(i).sites()) {
        if (!site.name().isEmpty()) {
          sites.computeIfAbsent(site.name(), unused -> unknown(history))[i] = site.bytes();
        }
      }
    }
    return sites;
  }

  private static long[] unknown(History history) {
    return history.points().stream()
        .mapToLong(point -> hasAllSites(point) ? 0 : Figure.ABSENT)
        .toArray();
  }

  private static boolean hasAllSites(History.Point point) {
    return point.sites().size() < History.SITES
        && point.sites().stream().noneMatch(site -> site.name().isEmpty());
  }
}

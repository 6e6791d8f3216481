/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A page that shows the panels of a dashboard with the results of their queries. Positions, titles,
 * units and legends are as in Grafana, the appearance is similar, and nothing is clickable.
 */
final class PanelPage {
  /** Version of uPlot, which the build sets. */
  private static final String VERSION = System.getProperty("uplot.version");

  private static final String LIBRARY = "/META-INF/resources/webjars/uplot/" + VERSION + "/dist/";

  private PanelPage() {}

  /** Writes the page, which needs no other file, and returns its path. */
  static Path write(Dashboard dashboard, Answers answers, Span span, Path directory)
      throws IOException {
    String page =
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>%s</title>
        <style>%s</style></head><body>
        <script>%s</script>
        <script>'use strict'; const board = %s;</script>
        <script>%s</script>
        <script>%s</script>
        </body></html>
        """
            .formatted(
                dashboard.file(),
                resource(LIBRARY + "uPlot.min.css") + resource("panels.css"),
                resource(LIBRARY + "uPlot.iife.min.js"),
                JsonWriter.string(board(dashboard, answers, span)).replace("</", "<\\/"),
                resource("units.js"),
                resource("panels.js"));
    Files.createDirectories(directory);
    return Files.writeString(directory.resolve(dashboard.file().replace(".json", ".html")), page);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PanelPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static JsonObject board(Dashboard dashboard, Answers answers, Span span) {
    Map<Integer, List<Answers.Answer>> byPanel = answers.byPanel();
    JsonArray panels = new JsonArray();
    JsonArray all = dashboard.json().getArray("panels");
    for (int i = 0; i < all.size(); i++) {
      JsonObject panel = all.getObject(i);
      JsonObject copy = new JsonObject(panel);
      copy.put("answers", json(byPanel.getOrDefault(panel.getInt("id"), List.of())));
      panels.add(copy);
    }
    return JsonObject.builder()
        .value("title", dashboard.json().getString("title"))
        .value("startSeconds", span.startSeconds())
        .value("endSeconds", span.endSeconds())
        .value("panels", panels)
        .done();
  }

  private static JsonArray json(List<Answers.Answer> answers) {
    JsonArray array = new JsonArray();
    for (Answers.Answer answer : answers) {
      JsonArray series = new JsonArray();
      answer.shown().forEach(each -> series.add(json(each)));
      array.add(
          JsonObject.builder()
              .value("refId", answer.target().refId())
              .value("legend", answer.target().legend())
              .value("series", series)
              .done());
    }
    return array;
  }

  private static JsonObject json(Series series) {
    JsonArray points = new JsonArray();
    for (Series.Point point : series.points()) {
      points.add(JsonArray.from(point.seconds(), point.value()));
    }
    return JsonObject.builder()
        .value("labels", new JsonObject(series.labels()))
        .value("points", points)
        .done();
  }
}

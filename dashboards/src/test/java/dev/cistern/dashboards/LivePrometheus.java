/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import dev.cistern.testing.PrometheusServer;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A real Prometheus, which scrapes hosts and a sidecar, and sends alerts to an Alertmanager. */
final class LivePrometheus implements AutoCloseable {
  static final int SCRAPE_INTERVAL_SECONDS = 2;

  private final PrometheusServer server;

  private LivePrometheus(PrometheusServer server) {
    this.server = server;
  }

  /**
   * Starts a Prometheus and returns when it responds.
   *
   * @param jobs the ports on loopback that each job scrapes
   * @param rules rule files
   */
  static LivePrometheus start(
      Path directory, Map<String, List<Integer>> jobs, List<Path> rules, int alertmanagerPort)
      throws IOException {
    return new LivePrometheus(
        PrometheusServer.start(directory, configuration(jobs, rules, alertmanagerPort)));
  }

  private static String configuration(
      Map<String, List<Integer>> jobs, List<Path> rules, int alertmanagerPort) {
    String scrapes =
        new TreeMap<>(jobs)
            .entrySet().stream()
                .map(job -> "  - job_name: %s\n%s".formatted(job.getKey(), targets(job.getValue())))
                .collect(Collectors.joining());
    return """
        global:
          scrape_interval: %ds
          evaluation_interval: 1s
        rule_files: [%s]
        alerting:
          alertmanagers:
            - static_configs: [{targets: ['127.0.0.1:%d']}]
        scrape_configs:
        %s"""
        .formatted(
            SCRAPE_INTERVAL_SECONDS,
            rules.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ")),
            alertmanagerPort,
            scrapes);
  }

  private static String targets(List<Integer> ports) {
    return ports.stream()
        .map(port -> "'127.0.0.1:" + port + "'")
        .collect(Collectors.joining(", ", "    static_configs: [{targets: [", "]}]\n"));
  }

  /** Returns the result of an instant query: each series has one point. */
  List<Series> instant(String expression, long seconds) {
    return series("query?query=" + Web.encoded(expression) + "&time=" + seconds, "value");
  }

  /** Returns the result of a query over a span. */
  List<Series> range(String expression, Span span) {
    String query =
        "query_range?query=%s&start=%d&end=%d&step=%d"
            .formatted(
                Web.encoded(expression),
                span.startSeconds(),
                span.endSeconds(),
                span.stepSeconds());
    return series(query, "values");
  }

  /** Returns the values of a label in the series that a selector finds in a span. */
  List<String> labelValues(String label, String selector, Span span) {
    JsonArray values =
        server
            .api(
                "label/%s/values?match[]=%s&start=%d&end=%d"
                    .formatted(
                        label, Web.encoded(selector), span.startSeconds(), span.endSeconds()))
            .getArray("data");
    return values.stream().map(String.class::cast).toList();
  }

  private List<Series> series(String query, String field) {
    JsonArray results = server.api(query).getObject("data").getArray("result");
    List<Series> all = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      JsonObject result = results.getObject(i);
      all.add(
          new Series(
              PrometheusServer.labels(result.getObject("metric")), points(result.getArray(field))));
    }
    return all;
  }

  private static List<Series.Point> points(JsonArray array) {
    if (!(array.get(0) instanceof JsonArray)) {
      return List.of(point(array));
    }
    List<Series.Point> points = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      points.add(point(array.getArray(i)));
    }
    return points;
  }

  private static Series.Point point(JsonArray pair) {
    return new Series.Point(pair.getDouble(0), PrometheusServer.number(pair.getString(1)));
  }

  @Override
  public void close() {
    server.close();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import static org.awaitility.Awaitility.await;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Prometheus server on a loopback port. */
public final class PrometheusServer implements AutoCloseable {
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final long HOUR_SECONDS = 3_600;

  private final Program program;
  private final int port;

  /** One value with its labels. */
  public record Sample(Map<String, String> labels, double value) {}

  private PrometheusServer(Program program) {
    this.program = program;
    this.port = program.awaitPort(Program.PROMETHEUS_LISTENS);
  }

  /**
   * Starts a server that scrapes each second, and returns when it is ready.
   *
   * @param directory directory for the server's files, deleted by the test
   * @param ports loopback port of each job
   */
  public static PrometheusServer start(Path directory, Map<String, Integer> ports)
      throws IOException {
    StringBuilder configuration =
        new StringBuilder(
            "global:\n  scrape_interval: 1s\n  scrape_timeout: 1s\nscrape_configs:\n");
    new TreeMap<>(ports)
        .forEach(
            (job, target) ->
                configuration
                    .append("  - job_name: ")
                    .append(job)
                    .append("\n    static_configs:\n      - targets: ['127.0.0.1:")
                    .append(target)
                    .append("']\n"));
    return start(directory, configuration.toString());
  }

  /** Starts a server with a configuration file of this text, and returns when it is ready. */
  public static PrometheusServer start(Path directory, String configuration) throws IOException {
    String command = Tool.path("prometheus", "prometheus");
    Path file = Files.writeString(directory.resolve("prometheus.yml"), configuration);
    Program program =
        Program.start(
            "prometheus",
            List.of(
                command,
                "--config.file=" + file,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--enable-feature=exemplar-storage",
                "--web.listen-address=127.0.0.1:0"));
    try {
      PrometheusServer server = new PrometheusServer(program);
      awaitReady(program, server.port);
      return server;
    } catch (RuntimeException | Error e) {
      program.close();
      throw e;
    }
  }

  /** Waits until Prometheus or Alertmanager answers requests. */
  public static void awaitReady(Program program, int port) {
    await()
        .atMost(READY_LIMIT)
        .ignoreException(UncheckedIOException.class)
        .until(
            () -> {
              program.assertRuns();
              return Web.get(port, "/-/ready").statusCode() == 200;
            });
  }

  /** Returns the result of an instant query. */
  public List<Sample> query(String expression) {
    JsonArray results =
        api("query?query=" + Web.encoded(expression)).getObject("data").getArray("result");
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      JsonObject result = results.getObject(i);
      String value = result.getArray("value").getString(1);
      samples.add(new Sample(labels(result.getObject("metric")), number(value)));
    }
    return samples;
  }

  /** Returns the exemplars of the last hour, each with its own labels. */
  public List<Sample> exemplars(String expression) {
    long nowSeconds = System.currentTimeMillis() / 1_000;
    JsonArray series =
        api("query_exemplars?query=%s&start=%d&end=%d"
                .formatted(Web.encoded(expression), nowSeconds - HOUR_SECONDS, nowSeconds + 60))
            .getArray("data");
    List<Sample> found = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      JsonArray exemplars = series.getObject(i).getArray("exemplars");
      for (int j = 0; j < exemplars.size(); j++) {
        JsonObject exemplar = exemplars.getObject(j);
        found.add(
            new Sample(labels(exemplar.getObject("labels")), number(exemplar.getString("value"))));
      }
    }
    return found;
  }

  /** Returns the response to a request below {@code /api/v1/}; fails if its status is not 200. */
  public JsonObject api(String path) {
    program.assertRuns();
    String body = Web.body(port, "/api/v1/" + path);
    try {
      return JsonParser.object().from(body);
    } catch (JsonParserException e) {
      throw new AssertionError(path + ": " + body, e);
    }
  }

  /** Returns the labels of a series. */
  public static Map<String, String> labels(JsonObject json) {
    Map<String, String> labels = new TreeMap<>();
    json.forEach((name, value) -> labels.put(name, value.toString()));
    return labels;
  }

  /** Returns a value as Prometheus writes it. */
  public static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  @Override
  public void close() {
    program.close();
  }
}

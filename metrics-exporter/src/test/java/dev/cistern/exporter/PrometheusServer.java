/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A real Prometheus of this test's own: on loopback, in a directory that goes with the test. */
public final class PrometheusServer {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final Process process;
  private final Path log;
  private final int port;

  /** One series of an answer. */
  public record Sample(Map<String, String> labels, double value) {}

  private PrometheusServer(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts it, scraping each second.
   *
   * @param ports the port of each job on loopback
   */
  public static PrometheusServer start(Path directory, Map<String, Integer> ports)
      throws IOException {
    String command = Tool.path("prometheus", "prometheus");
    Path log = directory.resolve("prometheus.log");
    int port = freePort();
    Process process =
        new ProcessBuilder(
                command,
                "--config.file="
                    + Files.writeString(directory.resolve("prometheus.yml"), config(ports)),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--enable-feature=exemplar-storage",
                "--log.level=warn")
            .redirectOutput(log.toFile())
            .redirectErrorStream(true)
            .start();
    return new PrometheusServer(process, log, port);
  }

  private static String config(Map<String, Integer> ports) {
    StringBuilder config =
        new StringBuilder(
            "global:\n  scrape_interval: 1s\n  scrape_timeout: 1s\nscrape_configs:\n");
    new TreeMap<>(ports)
        .forEach(
            (job, target) ->
                config
                    .append("  - job_name: ")
                    .append(job)
                    .append("\n    static_configs:\n      - targets: ['127.0.0.1:")
                    .append(target)
                    .append("']\n"));
    return config.toString();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns the answer to an instant query; empty while the server is not up yet. */
  public List<Sample> query(String expression) throws IOException, InterruptedException {
    if (!process.isAlive()) {
      throw new AssertionError("prometheus ended: " + Files.readString(log));
    }
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:"
                        + port
                        + "/api/v1/query?query="
                        + URLEncoder.encode(expression, StandardCharsets.UTF_8)))
            .timeout(LIMIT)
            .build();
    HttpResponse<String> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException e) {
      return List.of();
    }
    if (response.statusCode() == 503) {
      return List.of();
    }
    if (response.statusCode() != 200) {
      throw new AssertionError(expression + ": " + response.body());
    }
    return samples(response.body());
  }

  /** The exemplars of the last hour, each with its own labels and its value. */
  public List<Sample> exemplars(String expression) throws IOException, InterruptedException {
    long nowSeconds = System.currentTimeMillis() / 1_000;
    String query =
        "query_exemplars?query="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8)
            + "&start="
            + (nowSeconds - 3_600)
            + "&end="
            + (nowSeconds + 60);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + query)).build();
    String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    List<Sample> found = new ArrayList<>();
    try {
      JsonArray series = JsonParser.object().from(body).getArray("data");
      for (int i = 0; i < series.size(); i++) {
        JsonArray exemplars = series.getObject(i).getArray("exemplars");
        for (int j = 0; j < exemplars.size(); j++) {
          JsonObject exemplar = exemplars.getObject(j);
          Map<String, String> labels = new TreeMap<>();
          exemplar.getObject("labels").forEach((name, text) -> labels.put(name, text.toString()));
          found.add(new Sample(labels, Double.parseDouble(exemplar.getString("value"))));
        }
      }
    } catch (JsonParserException e) {
      throw new AssertionError(body, e);
    }
    return found;
  }

  private static List<Sample> samples(String body) {
    try {
      JsonArray results = JsonParser.object().from(body).getObject("data").getArray("result");
      List<Sample> samples = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        JsonObject result = results.getObject(i);
        Map<String, String> labels = new TreeMap<>();
        result.getObject("metric").forEach((name, value) -> labels.put(name, value.toString()));
        String value = result.getArray("value").getString(1);
        samples.add(
            new Sample(
                labels,
                value.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(value)));
      }
      return samples;
    } catch (JsonParserException e) {
      throw new AssertionError(body, e);
    }
  }

  public void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}

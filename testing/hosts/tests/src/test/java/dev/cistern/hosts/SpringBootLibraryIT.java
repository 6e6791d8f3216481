/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Checks that the metrics of a Spring Boot application's allocator are the same in Actuator and the
 * collector.
 */
class SpringBootLibraryIT {
  private static final int ORDERS = 500;
  private static final Pattern VALUE = Pattern.compile("\"value\":([0-9.E]+)");

  private final HttpClient client = HttpClient.newHttpClient();
  private int port;

  @Test
  void actuatorAndCollectorShowTheSame() throws Exception {
    HostCommand command = HostCommand.of("spring-boot-library", "example.hosts.boot.LibraryHost");
    try (HostProcess host = HostProcess.start(command)) {
      port = host.ports().get(0);
      for (int i = 0; i < ORDERS; i++) {
        assertThat(get("/orders?name=" + i)).isEqualTo("order of " + i);
      }
      // The values match when the cached reading is newer than the last order.
      Awaitility.await().atMost(HostProcess.LIMIT).untilAsserted(this::assertAlike);
      host.end();
    }
  }

  private void assertAlike() throws Exception {
    Map<String, Double> actuator = series(get("/actuator/prometheus"));
    Map<String, Double> collector = series(get("/collector"));
    assertThat(actuator).hasSizeGreaterThan(80).isEqualTo(collector);
    assertThat(allocations(actuator)).isGreaterThanOrEqualTo(ORDERS);
    String reserved = get("/actuator/metrics/cistern.reserved?tag=memory:direct");
    assertThat(reserved).contains("\"baseUnit\":\"bytes\"");
    Matcher value = VALUE.matcher(reserved);
    assertThat(value.find()).as(reserved).isTrue();
    assertThat(Double.parseDouble(value.group(1)))
        .isPositive()
        .isEqualTo(collector.get("cistern_reserved_bytes{memory=\"direct\",pool=\"orders\"}"));
  }

  private static double allocations(Map<String, Double> series) {
    return series.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("cistern_allocations_total"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(200);
    return response.body();
  }

  /**
   * Returns all series of Cistern except those that each reading changes, without the labels of the
   * host.
   */
  private static Map<String, Double> series(String text) {
    Map<String, Double> series = new TreeMap<>();
    text.lines()
        .filter(line -> line.startsWith("cistern_"))
        .filter(line -> !line.startsWith("cistern_scrape_duration_seconds"))
        .filter(line -> !line.startsWith("cistern_host_heartbeat"))
        .filter(line -> !line.startsWith("cistern_report_timestamp"))
        .filter(line -> !line.startsWith("cistern_requested_size")) // Micrometer has no buckets
        .map(
            line ->
                line.replaceAll("application=\"[^\"]*\",?", "")
                    .replaceAll("host_id=\"[^\"]*\",?", "")
                    .replace(",}", "}")
                    .replace("{}", ""))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              series.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            });
    return series;
  }
}

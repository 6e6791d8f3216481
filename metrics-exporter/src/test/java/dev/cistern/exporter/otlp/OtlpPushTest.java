/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.CisternCollector;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.HostReport;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A receiver of pushes is told what a scrape shows. */
class OtlpPushTest {
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final HostReport everything = Fixtures.everything();

  private OtlpPush push(String endpoint) {
    return OtlpPush.start(
        new CisternCollector(() -> everything),
        new OtlpOptions(endpoint, Duration.ofSeconds(1), "shop", Map.of("X-Tenant", "us")),
        log::add);
  }

  @Test
  void aPushShowsWhatAScrapeShows() throws Exception {
    try (Receiver receiver = new Receiver(0);
        OtlpPush push = push(receiver.endpoint())) {
      assertThat(push).isNotNull();
      await().until(() -> receiver.pushes() > 0);
      Map<String, Double> pushed = receiver.series();
      pushed.remove("cistern_scrape_duration_seconds");
      assertThat(pushed).hasSizeGreaterThan(200).isEqualTo(scraped());
      assertThat(receiver.tenant()).isEqualTo("us");
      assertThat(receiver.resource())
          .containsEntry("service.name", "shop")
          .containsEntry("process.command_args", "")
          .containsEntry("process.command_line", "");
      assertThat(log).isEmpty();
    }
  }

  private Map<String, Double> scraped() {
    Map<String, Double> series = new TreeMap<>();
    Fixtures.metrics(everything)
        .lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              series.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            });
    return series;
  }

  @Test
  void countersAreCumulativeAndMonotonicAndUnitsAreOtlps() throws Exception {
    try (Receiver receiver = new Receiver(0);
        OtlpPush push = push(receiver.endpoint())) {
      assertThat(push).isNotNull();
      await().until(() -> receiver.pushes() > 0);
      for (Metric metric : receiver.metrics()) {
        String name = Receiver.name(metric);
        assertThat(metric.hasSum()).as(name).isEqualTo(name.endsWith("_total"));
        assertThat(metric.getUnit().equals("By")).as(name).isEqualTo(name.contains("_bytes"));
        if (metric.hasSum()) {
          assertThat(metric.getSum().getIsMonotonic()).as(name).isTrue();
          assertThat(metric.getSum().getAggregationTemporality())
              .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        }
      }
    }
  }

  @Test
  @Tag("full")
  void aReceiverThatIsDownCostsALineAndNothingElse() throws Exception {
    // Bound, and not listening: it refuses connections, and no other process gets the port.
    Socket down = new Socket();
    down.setReuseAddress(true);
    down.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    int port = down.getLocalPort();
    AtomicLong scrapes = new AtomicLong();
    CisternCollector collector =
        new CisternCollector(
            () -> {
              scrapes.incrementAndGet();
              return everything;
            });
    OtlpOptions options =
        new OtlpOptions("http://127.0.0.1:" + port, Duration.ofSeconds(1), "shop", Map.of());
    try (down;
        OtlpPush push = OtlpPush.start(collector, options, log::add)) {
      assertThat(push).isNotNull();
      await().until(() -> !log.isEmpty() && scrapes.get() > 2);
      try (Receiver again = new Receiver(port)) {
        await().atMost(Duration.ofSeconds(30)).until(() -> again.pushes() > 0);
      }
      assertThat(log).singleElement().asString().startsWith("OTLP push: Failed to export");
    }
  }

  @Test
  void aReceiverThatRefusesIsTriedAgain() throws Exception {
    try (Receiver receiver = new Receiver(0)) {
      receiver.answer(500);
      try (OtlpPush push = push(receiver.endpoint())) {
        assertThat(push).isNotNull();
        await().until(() -> receiver.refused() > 2);
        receiver.answer(200);
        await().until(() -> receiver.pushes() > 0);
        assertThat(log).singleElement().asString().contains("500");
      }
    }
  }

  @Test
  void optionsOutOfTheirRangeAreRefusedWithTheRange() {
    for (String endpoint : List.of("collector:4318", "ftp://collector", "http://", "none")) {
      assertThatThrownBy(() -> new OtlpOptions(endpoint, "shop"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "endpoint: '" + endpoint + "' (expected: http://host:port or https://host:port)");
    }
    assertThatThrownBy(() -> new OtlpOptions("http://a:1", Duration.ZERO, "shop", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("interval: PT0S (expected: PT1S to PT1H)");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.ExporterServer;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.micrometer.CisternMetrics;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.statsfile.StatsFileOptions;
import dev.cistern.exporter.statsfile.StatsFilePublisher;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.leak.WatchFailures;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of the allocator in each output of the exporter, without the agent. */
class DiagnosticsTest {
  private static final int BYTES = 9 << 20;

  private final AllocatorSource source =
      new AllocatorSource("shop").add("netty", CisternAllocator.DEFAULT);
  private ByteBuf held;

  @TempDir Path directory;
  @TempDir Path other;

  @BeforeEach
  void hold() {
    held = CisternAllocator.DEFAULT.directBuffer(BYTES);
  }

  @AfterEach
  void release() {
    held.release();
  }

  @Test
  void theReportHasItsPools() {
    PoolReport report = reported();
    assertThat(report.pools()).hasSize(2);
    assertThat(report.pools().get(0).pinnedBytes()).isGreaterThanOrEqualTo(BYTES);
    assertThat(source.chunks()).extracting(chunks -> chunks.pool()).containsOnly("netty");
    assertThatThrownBy(() -> source.add("again", CisternAllocator.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'again'");
  }

  @Test
  void failuresOfWatchingAreReportedOnce() {
    WatchFailures.add(new IllegalStateException("meant to fail"));
    long reported =
        source.report().copies().stream().mapToLong(copy -> copy.leaks().failures()).sum();
    assertThat(reported).isPositive().isEqualTo(WatchFailures.count());
  }

  @Test
  void itKnowsWhetherTheJvmCountsItsMemory() {
    long inJvm = directInJvm();
    long before = reported().netty().directMemory().inJvmAccountBytes();
    ByteBuf another = CisternAllocator.DEFAULT.directBuffer(64 << 20);
    try {
      assertThat(reported().netty().directMemory().inJvmAccountBytes() - before)
          .isCloseTo(directInJvm() - inJvm, within(1L << 20));
    } finally {
      another.release();
    }
  }

  private static long directInJvm() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private PoolReport reported() {
    return source.report().copies().stream()
        .filter(copy -> copy.pool().equals("netty"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theCollectorShowsIt() {
    List<? extends DataPointSnapshot> points =
        new CisternCollector(source)
            .collect().stream()
                .filter(family -> family.getMetadata().getName().equals("cistern_pinned_bytes"))
                .map(MetricSnapshot::getDataPoints)
                .findFirst()
                .orElseThrow();
    assertThat(points)
        .filteredOn(point -> "netty".equals(point.getLabels().get("pool")))
        .filteredOn(point -> "direct".equals(point.getLabels().get("memory")))
        .singleElement()
        .satisfies(
            point ->
                assertThat(((GaugeDataPointSnapshot) point).getValue())
                    .isGreaterThanOrEqualTo(BYTES));
  }

  @Test
  void micrometerShowsIt() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (CisternMetrics metrics = new CisternMetrics(CisternAllocator.DEFAULT, "netty")) {
      metrics.bindTo(registry);
      assertThat(
              registry
                  .get("cistern.pinned")
                  .tag("pool", "netty")
                  .tag("memory", "direct")
                  .gauge()
                  .value())
          .isGreaterThanOrEqualTo(BYTES);
    }
  }

  @Test
  void theEndpointShowsIt() throws Exception {
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", source)) {
      URI metrics = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
      String body =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
              .body();
      assertThat(body.lines())
          .filteredOn(line -> line.startsWith("cistern_pinned_bytes{"))
          .filteredOn(line -> line.contains("pool=\"netty\""))
          .hasSize(2);
    }
  }

  @Test
  void theStatsFileForTheSidecarHasIt() throws Exception {
    StatsFileOptions options = StatsFileOptions.in(directory);
    StatsFilePublisher publisher =
        StatsFilePublisher.start(options, source, source.host(), System.err::println);
    try {
      await().until(() -> publisher.state().writes() > 0);
      Path copy = other.resolve("copy");
      Files.copy(statsFile(), copy); // reading the own file would release its lock
      HostView read = Objects.requireNonNull(new StatsFileReader().read(copy).report());
      assertThat(read.copies())
          .filteredOn(allocator -> allocator.pool().equals("netty"))
          .singleElement()
          .satisfies(
              allocator ->
                  assertThat(allocator.sum(PoolFigures.PINNED_BYTES))
                      .isGreaterThanOrEqualTo(BYTES));
    } finally {
      publisher.close();
    }
  }

  private Path statsFile() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
  }
}

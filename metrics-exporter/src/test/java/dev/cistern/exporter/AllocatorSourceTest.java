/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.page.ReportForm;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.view.LeaksText;
import dev.cistern.exporter.view.LiveText;
import dev.cistern.exporter.view.ReportOptions;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllocatorSourceTest {
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final AllocatorSource source = new AllocatorSource("shop").add("orders", allocator);

  @Test
  void aScrapeShowsTheAllocatorsPoolsUnderItsName() {
    ByteBuf direct = allocator.directBuffer(1 << 20);
    ByteBuf heap = allocator.heapBuffer(100_000);
    try {
      Map<String, Double> series = Scrape.series(new CisternCollector(source));
      assertThat(series)
          .containsEntry("cistern_pinned_bytes{memory=\"direct\",pool=\"orders\"}", 1_048_576.0)
          .containsEntry(
              "cistern_allocations_total{memory=\"heap\",pool=\"orders\",size_group=\"normal\"}",
              1.0)
          .containsEntry("cistern_suspect_sites{memory=\"direct\",pool=\"library\"}", 0.0)
          .containsEntry("cistern_host_up", 1.0);
      assertThat(series.keySet())
          .noneMatch(name -> name.contains("netty") && !name.startsWith("cistern_process_memory"));
    } finally {
      direct.release();
      heap.release();
    }
  }

  @Test
  void anAllocatorThatDoesNotPoolDirectMemoryShowsItsHeapOnly() {
    PooledByteBufAllocator heapOnly = new PooledByteBufAllocator(false, 2, 0, 8192, 9);
    source.add("heap only", heapOnly);
    assertThat(source.report().copies().get(1).pools())
        .singleElement()
        .matches(snapshot -> snapshot.memory().equals("heap"));
  }

  @Test
  void theReportsDoNotMentionNetty() throws Exception {
    for (ReportForm form : List.<ReportForm>of(LeaksText::write, LiveText::write)) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      form.write(HostView.of(source.report()), ReportOptions.FOLDED, text);
      assertThat(text.toString(StandardCharsets.UTF_8))
          .contains("Pool library, mode library")
          .doesNotContain("Pool orders");
    }
  }

  @Test
  void theChunksOfItsPoolsAreReported() throws Exception {
    assertThat(source.chunks())
        .extracting(CopyChunks::pool, chunks -> chunks.map().memory())
        .containsExactlyInAnyOrder(tuple("orders", "direct"), tuple("orders", "heap"));
  }

  @Test
  void namesAreTakenOnce() {
    for (String name : List.of("", "orders", AllocatorSource.LIBRARY_POOL)) {
      assertThatThrownBy(() -> source.add(name, allocator))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + name + "'");
    }
  }

  @Test
  void aServerOnItServesAll() throws Exception {
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", source)) {
      HttpClient client = HttpClient.newHttpClient();
      for (String path :
          List.of("/", "/state", "/metrics", "/leaks", "/live", "/debug/pprof/heap")) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
            .as(path)
            .isEqualTo(200);
      }
    }
  }
}

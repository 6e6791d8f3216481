/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.view.DiagnosticsText;
import dev.cistern.stats.PoolLayout;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outputs show resident memory and the way of allocation only if they are known. */
class ResidentMemoryTest {
  private static final String RESIDENT = "cistern_resident_bytes";
  private static final String WAY = "cistern_memory_way";

  private static HostReport report(long residentBytes, long way) {
    PoolLayout layout = new PoolLayout("direct", 8192, 4 << 20, 1, 0, new int[] {16});
    long[] values = new long[layout.values()];
    values[layout.index(PoolStat.RESERVED_BYTES)] = 4 << 20;
    values[layout.index(PoolStat.RESIDENT_BYTES)] = residentBytes;
    values[layout.index(PoolStat.MEMORY_WAY)] = way;
    PoolReport like = Reports.copy("io.netty", Reports.leaks());
    return Reports.host(withPools(like, like.mode(), new PoolSnapshot(layout, values)));
  }

  private static PoolReport withPools(PoolReport like, String mode, PoolSnapshot... pools) {
    return new PoolReport(
        like.pool(),
        like.version(),
        mode,
        "",
        List.of(pools),
        0,
        0,
        0,
        like.leaks(),
        like.live(),
        like.netty(),
        ModeChange.UNKNOWN,
        List.of());
  }

  private static Map<String, Double> series(HostReport report) {
    return Scrape.series(new CisternCollector(() -> report));
  }

  private static JsonObject pool(HostReport report) throws Exception {
    HostView host = HostView.of(report);
    String json = DiagnosticsText.state(host);
    JsonArray copies = JsonParser.object().from(json).getObject("host").getArray("copies");
    return copies.getObject(0).getArray("pools").getObject(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3 << 20})
  void residentBytesAreShownFromZeroOn(long bytes) throws Exception {
    HostReport report = report(bytes, 0);
    assertThat(series(report))
        .containsEntry(RESIDENT + "{memory=\"direct\",pool=\"io.netty\"}", (double) bytes);
    assertThat(pool(report).getLong("resident_bytes")).isEqualTo(bytes);
  }

  @Test
  void eachWayIsShownByItsName() throws Exception {
    List<String> ways = List.of("mmap_jdk", "mmap_linker", "malloc_mmap", "malloc", "host");
    for (int ordinal = 0; ordinal < ways.size(); ordinal++) {
      HostReport report = report(7, ordinal);
      String labels = "{memory=\"direct\",pool=\"io.netty\",way=\"" + ways.get(ordinal) + "\"}";
      assertThat(series(report)).containsEntry(WAY + labels, 1.0);
      assertThat(pool(report).getString("way")).isEqualTo(ways.get(ordinal));
    }
  }

  @Test
  void unknownValuesAreNotShown() throws Exception {
    HostReport unknown = report(PoolStat.UNKNOWN, PoolStat.UNKNOWN);
    assertThat(series(unknown).keySet())
        .anyMatch(name -> name.startsWith("cistern_reserved_bytes"))
        .noneMatch(name -> name.startsWith(RESIDENT))
        .noneMatch(name -> name.startsWith(WAY));
    assertThat(pool(unknown).keySet()).doesNotContain("resident_bytes");
    assertThat(pool(unknown).getString("way")).isEmpty();
  }

  /** The stats file of a later version can have such a value. */
  @ParameterizedTest
  @ValueSource(longs = {6, 99, Long.MAX_VALUE, Long.MIN_VALUE})
  void aWayThatThisVersionDoesNotKnowIsNotShown(long way) throws Exception {
    HostReport report = report(7, way);
    assertThat(series(report).keySet())
        .anyMatch(name -> name.startsWith(RESIDENT))
        .noneMatch(name -> name.startsWith(WAY));
    assertThat(pool(report).keySet()).contains("resident_bytes");
    assertThat(pool(report).getString("way")).isEmpty();
  }

  /** The values of such a copy are those of a pool that an earlier mode left. */
  @Test
  void allocatorsOfNettyHaveNeither() {
    assertThat(series(Reports.host(Reports.observed())).keySet())
        .anyMatch(name -> name.startsWith("cistern_reserved_bytes"))
        .noneMatch(name -> name.startsWith(RESIDENT))
        .noneMatch(name -> name.startsWith(WAY));
  }

  @Test
  void theWayOfARealPoolIsShown() throws Exception {
    LoadedHost host = new LoadedHost();
    host.start();
    try {
      host.allocateStill(1, 1, 1_000);
      assertThat(series(awaitDirect(host)).keySet())
          .anyMatch(name -> name.matches("cistern_memory_way\\{memory=\"direct\".*"))
          .noneMatch(name -> name.matches("cistern_memory_way\\{memory=\"heap\".*"))
          .noneMatch(name -> name.matches("cistern_resident_bytes\\{memory=\"heap\".*"));
    } finally {
      host.stop();
    }
  }

  private static HostReport awaitDirect(LoadedHost host) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() < deadline) {
      HostReport report = host.report();
      boolean isReserved =
          report.copies().stream()
              .flatMap(copy -> copy.pools().stream())
              .anyMatch(pool -> pool.memory().equals("direct") && pool.reservedBytes() > 0);
      if (isReserved) {
        return report;
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no direct memory was reserved");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.stats.Band;
import dev.cistern.stats.ChunkMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code /state} tells, beside a scrape of the same report. */
class StateJsonTest {
  private static final HostReport REPORT = Reports.everything();

  private static JsonObject state(HostReport report, List<CopyChunks> chunks)
      throws JsonParserException {
    HostState host = HostState.up(report);
    String json = new StateJson(site -> "<" + site).write(List.of(host), host, chunks);
    return JsonParser.object().from(json);
  }

  private static JsonObject copy(int index) throws JsonParserException {
    return state(REPORT, List.of()).getObject("host").getArray("copies").getObject(index);
  }

  private static Map<String, Double> series() {
    return Scrape.series(new CisternCollector(() -> REPORT));
  }

  private static double metric(String name, String memory, String more) {
    return series().get(name + "{" + "memory=\"" + memory + "\",pool=\"io.netty\"" + more + "}");
  }

  @Test
  void theFiguresOfAPoolAreThoseOfAScrape() throws Exception {
    JsonArray pools = copy(0).getArray("pools");
    assertThat(pools).hasSize(2);
    for (int i = 0; i < pools.size(); i++) {
      JsonObject pool = pools.getObject(i);
      String memory = pool.getString("memory");
      for (String figure :
          List.of(
              "reserved_bytes",
              "pinned_bytes",
              "cached_bytes",
              "free_bytes",
              "huge_reserved_bytes",
              "huge_pinned_bytes",
              "huge_cached_bytes",
              "limit_used_bytes",
              "thread_caches")) {
        double expected = metric("cistern_" + figure, memory, "");
        assertThat((double) pool.getLong(figure)).as(figure).isEqualTo(expected);
      }
      for (String figure : List.of("requests", "hits", "misses")) {
        assertThat((double) pool.getLong("thread_cache_" + figure))
            .isEqualTo(metric("cistern_thread_cache_" + figure + "_total", memory, ""));
      }
      for (Band band : Band.values()) {
        String key = "cistern_chunks{band=\"" + band.label() + "\",memory=\"" + memory;
        assertThat((double) pool.getArray("bands").getLong(band.ordinal()))
            .isEqualTo(series().get(key + "\",pool=\"io.netty\"}"));
      }
      for (String group : List.of("small", "normal", "huge")) {
        String label = ",size_group=\"" + group + "\"";
        assertThat((double) pool.getObject("allocations").getLong(group))
            .isEqualTo(metric("cistern_allocations_total", memory, label));
      }
    }
    assertThat(pools.getObject(0).getLong("limit_bytes")).isEqualTo(1L << 30);
    assertThat(pools.getObject(1).has("limit_bytes")).isFalse();
    assertThat((double) pools.getObject(0).getLong("resident_bytes"))
        .isEqualTo(metric("cistern_resident_bytes", "direct", ""));
    assertThat(metric("cistern_memory_way", "direct", ",way=\"mmap_jdk\"")).isOne();
    assertThat(pools.getObject(0).getString("memory_way")).isEqualTo("mmap_jdk");
  }

  @Test
  void theBandsOfTheArenasAddUpToThoseOfThePool() throws Exception {
    JsonObject pool = copy(0).getArray("pools").getObject(0);
    JsonArray arenas = pool.getArray("arenas");
    assertThat(arenas).hasSize(2);
    for (int band = 0; band < Band.values().length; band++) {
      long sum = 0;
      for (int arena = 0; arena < arenas.size(); arena++) {
        sum += arenas.getObject(arena).getArray("bands").getLong(band);
      }
      assertThat(sum).isEqualTo(pool.getArray("bands").getLong(band)).isPositive();
    }
    assertThat(arenas.getObject(0).has("chunks")).isFalse();
  }

  @Test
  void chunksAreThereWhereTheyAreTold() throws Exception {
    int[][] cells = {{ChunkMap.cell(Band.Q050, 67), ChunkMap.cell(Band.Q100, 100)}, {}};
    CopyChunks chunks = new CopyChunks("io.netty", new ChunkMap("heap", cells, new int[] {0, 3}));
    JsonArray pools =
        state(REPORT, List.of(chunks))
            .getObject("host")
            .getArray("copies")
            .getObject(0)
            .getArray("pools");
    assertThat(pools.getObject(0).getArray("arenas").getObject(0).has("chunks")).isFalse();
    JsonArray arenas = pools.getObject(1).getArray("arenas");
    JsonObject chunk = arenas.getObject(0).getArray("chunks").getObject(0);
    assertThat(chunk.getString("band")).isEqualTo("q050");
    assertThat(chunk.getInt("usage")).isEqualTo(67);
    assertThat(arenas.getObject(0).getInt("chunks_not_listed")).isZero();
    assertThat(arenas.getObject(1).getArray("chunks")).isEmpty();
    assertThat(arenas.getObject(1).getInt("chunks_not_listed")).isEqualTo(3);
  }

  @Test
  void sitesHaveTheNamesThatTheCallerMayKnow() throws Exception {
    JsonObject live = copy(0).getObject("live");
    JsonObject suspect = live.getArray("sites").getObject(0);
    assertThat(suspect.getString("site")).isEqualTo("<com.shop.Cart.encode:42");
    assertThat(suspect.getLong("bytes")).isEqualTo((1 << 20) + (1 << 18));
    assertThat(suspect.getLong("growth_bytes_5_minutes")).isEqualTo(1_200_000);
    assertThat(suspect.getLong("suspect_since_millis")).isEqualTo(Reports.NOON_MILLIS + 9_000);
    assertThat(suspect.getArray("bytes_by_age")).hasSize(4);
    JsonObject leaks = copy(0).getObject("leaks");
    JsonObject leak = leaks.getArray("sites").getObject(0);
    assertThat(leak.getString("site")).isEqualTo("<com.shop.Cart.encode:42");
    assertThat(leak.getLong("found")).isEqualTo(3);
    assertThat(leak.getLong("bytes")).isEqualTo(1_572_864);
    assertThat(leak.getLong("first_seen_millis")).isEqualTo(Reports.NOON_MILLIS + 1_000);
    assertThat(leaks.getLong("dropped")).isEqualTo(4);
  }

  @Test
  void leaksOfOneSiteAreOneEntry() throws Exception {
    LeakReport leaks =
        Reports.leaks(
            List.of(
                Reports.entry("direct", "a.B.c:1", 3, 30),
                Reports.entry("direct", "a.B.c:1", 2, 20),
                Reports.entry("heap", "a.B.c:1", 1, 10)));
    JsonArray sites =
        state(Reports.host(Reports.copy("io.netty", leaks)), List.of())
            .getObject("host")
            .getArray("copies")
            .getObject(0)
            .getObject("leaks")
            .getArray("sites");
    assertThat(sites).hasSize(2);
    assertThat(sites.getObject(0).getLong("found")).isEqualTo(5);
    assertThat(sites.getObject(0).getLong("bytes")).isEqualTo(50);
  }

  @Test
  void ofTooManySitesTheRestIsCounted() throws Exception {
    List<LeakEntry> entries = new ArrayList<>();
    for (int i = 0; i < StateSites.MOST + 7; i++) {
      entries.add(Reports.entry("direct", "a.B.c:" + i, 1, i));
    }
    JsonObject leaks =
        state(Reports.host(Reports.copy("io.netty", Reports.leaks(entries))), List.of())
            .getObject("host")
            .getArray("copies")
            .getObject(0)
            .getObject("leaks");
    assertThat(leaks.getArray("sites")).hasSize(StateSites.MOST);
    assertThat(leaks.getInt("sites_not_listed")).isEqualTo(7);
  }

  @Test
  void ofTooManyCopiesAndTheirSitesTheRestIsCounted() throws Exception {
    List<LeakEntry> entries = new ArrayList<>();
    for (int i = 0; i < StateSites.MOST; i++) {
      entries.add(Reports.entry("direct", "a.B.c:" + i, 1, i));
    }
    List<CopyReport> copies = new ArrayList<>();
    for (int i = 0; i < StateJson.MOST_COPIES + 3; i++) {
      copies.add(Reports.copy("io.netty" + i, Reports.leaks(entries), Reports.live()));
    }
    JsonObject host =
        state(Reports.host(copies.toArray(new CopyReport[0])), List.of()).getObject("host");
    assertThat(host.getArray("copies")).hasSize(StateJson.MOST_COPIES);
    assertThat(host.getInt("copies_not_listed")).isEqualTo(3);
    int listed = 0;
    int notListed = 0;
    for (Object copy : host.getArray("copies")) {
      for (String kind : List.of("leaks", "live")) {
        JsonObject sites = ((JsonObject) copy).getObject(kind);
        listed += sites.getArray("sites").size();
        notListed += sites.getInt("sites_not_listed");
      }
    }
    assertThat(listed).isEqualTo(StateSites.MOST_OF_ALL);
    assertThat(notListed)
        .isGreaterThanOrEqualTo(StateJson.MOST_COPIES * StateSites.MOST - StateSites.MOST_OF_ALL);
  }

  @Test
  void nettysOwnAllocatorsTellWhatTheyTellAScrape() throws Exception {
    JsonArray parts = copy(1).getObject("netty").getArray("allocators");
    assertThat(parts).hasSize(6);
    for (int i = 0; i < parts.size(); i++) {
      JsonObject part = parts.getObject(i);
      String key =
          "cistern_netty_allocator_reserved_bytes{allocator=\""
              + part.getString("name")
              + "\",memory=\""
              + part.getString("memory")
              + "\",pool=\"a.io.netty\"}";
      assertThat((double) part.getLong("reserved_bytes")).isEqualTo(series().get(key));
      assertThat(part.has("pinned_bytes")).isEqualTo(part.getBoolean("pooled"));
    }
  }

  @Test
  void eachHostIsListedAndOneIsShown() throws Exception {
    HostState up = HostState.up(REPORT);
    HostIdentity gone = new HostIdentity("f".repeat(16), "gone", "pod-1", "main", 7, "0.1", 5);
    HostState died = new HostState(new HostReport(gone, 9, 0, List.of()), HostState.State.DIED, 8);
    JsonObject json =
        JsonParser.object()
            .from(new StateJson(site -> site).write(List.of(up, died), died, List.of()));
    assertThat(json.getArray("hosts")).hasSize(2);
    JsonObject listed = json.getArray("hosts").getObject(0);
    assertThat(listed.getString("state")).isEqualTo("up");
    assertThat(listed.getLong("leaks")).isEqualTo(12);
    assertThat(listed.getLong("suspects")).isEqualTo(1);
    assertThat(listed.getLong("reserved_bytes")).isGreaterThan(2 * 20_971_520L);
    JsonObject shown = json.getObject("host");
    assertThat(shown.getString("id")).isEqualTo("f".repeat(16));
    assertThat(shown.getString("state")).isEqualTo("died");
    assertThat(shown.getString("pod")).isEqualTo("pod-1");
    assertThat(shown.getLong("heartbeat_millis")).isEqualTo(8);
    assertThat(shown.getArray("copies")).isEmpty();
  }

  @Test
  void aHostThatIsNotThereIsNoHost() throws Exception {
    String json = new StateJson(site -> site).write(List.of(), null, List.of());
    assertThat(JsonParser.object().from(json).isNull("host")).isTrue();
  }
}

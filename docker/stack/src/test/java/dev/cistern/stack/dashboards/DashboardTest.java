/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import dev.cistern.exporter.Catalogue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The committed dashboards name only metrics that exist, and keep the conventions. */
class DashboardTest {
  private static final Pattern SELECTOR = Pattern.compile("cistern_[a-z_]+(\\{[^}]*})?");

  /** Metrics that no panel shows, on purpose. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          // Only on request.
          "cistern_arena_reserved_bytes",
          "cistern_arena_pinned_bytes",
          "cistern_arena_cached_bytes",
          "cistern_arena_thread_caches",
          "cistern_arena_subpages",
          "cistern_arena_allocations_total",
          "cistern_arena_deallocations_total",
          "cistern_arena_chunks",
          "cistern_size_allocations_total",
          "cistern_size_deallocations_total",
          "cistern_size_cached_bytes",
          "cistern_size_requested_bytes_total",
          "cistern_size_misses_total",
          // Of hosts behind a sidecar.
          "cistern_up", // Of the exporter; the processes are shown.
          "cistern_sidecar_failures_total",
          "cistern_sidecar_files_refused",
          "cistern_sidecar_postmortem_bytes",
          "cistern_sidecar_postmortems",
          "cistern_sidecar_postmortems_removed_total",
          "cistern_host_exited_cleanly",
          "cistern_host_heartbeat_timestamp_seconds",
          "cistern_series_dropped_total", // An alert.
          "cistern_arenas", // A setting, the same all the time.
          "cistern_build_info",
          "cistern_dump_failures_total", // Seldom, and then in the log.
          "cistern_dumps_skipped_total",
          "cistern_dumps_total",
          "cistern_stats_file_failures_total", // Likewise.
          "cistern_stats_file_rows_dropped",
          "cistern_stats_file_writes_total",
          "cistern_chunk_size_bytes", // A setting.
          "cistern_host_info",
          "cistern_http_page_failures_total", // Of interest to who cannot see a page.
          "cistern_http_requests_refused_total",
          "cistern_web_certificate_expiry_timestamp_seconds", // Of the endpoint, not of buffers.
          "cistern_web_config_load_timestamp_seconds",
          "cistern_web_config_reload_failures_total", // Then in the log, too.
          "cistern_huge_reserved_bytes", // Its two parts are shown.
          "cistern_leak_samples_total", // Of interest when the sampler itself is in doubt.
          "cistern_sample_interval_bytes", // A setting; the interval in force is shown.
          "cistern_netty_allocators", // The allocators are shown by name.
          "cistern_netty_allocators_dropped_total",
          "cistern_scrape_duration_seconds");

  @Test
  void thereIsADashboard() {
    assertThat(Dashboard.all()).extracting(Dashboard::file).contains("overview.json");
  }

  @Test
  void everyMetricThatADashboardNamesExists() {
    Set<String> known = Catalogue.rows().keySet();
    for (Dashboard dashboard : Dashboard.all()) {
      for (String expression : dashboard.expressions()) {
        assertThat(known)
            .as(dashboard.file() + ": " + expression)
            .containsAll(Dashboard.metrics(expression));
      }
    }
  }

  @Test
  void everyMetricIsOnADashboardOrLeftOutOnPurpose() {
    Set<String> shown = new TreeSet<>(LEFT_OUT);
    for (Dashboard dashboard : Dashboard.all()) {
      dashboard.queries().forEach(query -> shown.addAll(Dashboard.metrics(query.expression())));
      dashboard.annotations().forEach(a -> shown.addAll(Dashboard.metrics(a.getString("expr"))));
    }
    assertThat(shown).containsExactlyElementsOf(new TreeSet<>(Catalogue.rows().keySet()));
  }

  @Test
  void everySelectorHasBothMatchers() {
    for (Dashboard dashboard : Dashboard.all()) {
      dashboard.queries().forEach(query -> checkSelectors(query.toString(), query.expression()));
      dashboard
          .annotations()
          .forEach(a -> checkSelectors(a.getString("name"), a.getString("expr")));
    }
  }

  private static void checkSelectors(String where, String expression) {
    Matcher selectors = SELECTOR.matcher(expression);
    while (selectors.find()) {
      assertThat(selectors.group())
          .as(where)
          .contains("job=~\"$job\"")
          .contains("instance=~\"$instance\"");
    }
  }

  @Test
  void ratesFollowTheScrapeInterval() {
    for (Dashboard dashboard : Dashboard.all()) {
      for (Dashboard.Query query : dashboard.queries()) {
        assertThat(query.expression().replace("[$__rate_interval]", ""))
            .as(query.toString())
            .doesNotContain("[");
      }
    }
  }

  @Test
  void everyPanelHasTitleDescriptionUnitAndItsOwnIdentifier() {
    for (Dashboard dashboard : Dashboard.all()) {
      Set<Integer> identifiers = new HashSet<>();
      for (JsonObject panel : dashboard.panels()) {
        String where = dashboard.file() + ": " + panel.getString("title");
        JsonObject defaults = panel.getObject("fieldConfig").getObject("defaults");
        assertThat(panel.getString("title", "")).as(where).isNotBlank();
        assertThat(panel.getString("description", "")).as(where).isNotBlank();
        assertThat(defaults.getString("unit", ""))
            .as(where)
            .isIn("short", "bytes", "Bps", "ops", "percentunit", "s");
        assertThat(identifiers.add(panel.getInt("id"))).as(where).isTrue();
      }
    }
  }

  @Test
  void panelsDoNotOverlapAndStayOnThePage() {
    for (Dashboard dashboard : Dashboard.all()) {
      Set<List<Integer>> taken = new HashSet<>();
      for (JsonObject panel : dashboard.panels()) {
        JsonObject place = panel.getObject("gridPos");
        String where = dashboard.file() + ": " + panel.getString("title");
        assertThat(place.getInt("x") + place.getInt("w")).as(where).isLessThanOrEqualTo(24);
        for (int x = 0; x < place.getInt("w"); x++) {
          for (int y = 0; y < place.getInt("h"); y++) {
            assertThat(taken.add(List.of(place.getInt("x") + x, place.getInt("y") + y)))
                .as(where)
                .isTrue();
          }
        }
      }
    }
  }

  @Test
  void dashboardsKeepTheCommonFrame() {
    Set<String> uids = new HashSet<>();
    for (Dashboard dashboard : Dashboard.all()) {
      JsonObject json = dashboard.json();
      assertThat(json.getBoolean("editable", true)).as(dashboard.file()).isFalse();
      assertThat(json.getString("uid", "")).as(dashboard.file()).startsWith("cistern-");
      assertThat(uids.add(json.getString("uid"))).as(dashboard.file()).isTrue();
      assertThat(json.containsKey("id")).as(dashboard.file()).isFalse();
      assertThat(dashboard.variables())
          .as(dashboard.file())
          .extracting(variable -> variable.getString("name"))
          .containsExactly("datasource", "job", "instance");
      assertThat(dashboard.variables().subList(1, 3))
          .as(dashboard.file())
          .allMatch(variable -> variable.getBoolean("multi"))
          .allMatch(variable -> ".+".equals(variable.getString("allValue")));
      assertThat(dashboard.annotations()).as(dashboard.file()).isNotEmpty();
    }
  }
}

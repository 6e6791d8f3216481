/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final Exposition NOTHING = Exposition.parse("");
  private static final Exposition BEFORE = scrape(100);
  private static final LoadReport LOAD = new LoadReport(1_000, 0, null, Duration.ofSeconds(2));

  @Test
  void isContentWhenThePoolServedEachRequest() {
    Summary summary = new Summary("4.1.1", LOAD, BEFORE, scrape(600), scrape(2_600));
    assertThat(summary.failure()).isNull();
    assertThat(summary.text())
        .contains("Netty 4.1.1: io.netty in mode swap")
        .contains("1,000 answered in 2.0 s (500/s), 0 failed")
        .contains("2,500 allocations")
        .contains("hit ratio 50.00 %")
        .containsPattern("direct, at rest +40 +10 +20 +10")
        .containsPattern("7 +7,000  x.Y.z:1")
        .doesNotContain("other");
  }

  @Test
  void failsWhenThePoolServedLessThanTheRequests() {
    Summary summary = new Summary("4.1.1", LOAD, BEFORE, scrape(600), scrape(1_099));
    assertThat(summary.failure()).contains("999 allocations for 1,000 requests").contains("swap");
  }

  @Test
  void failsWhenTheMetricsAreNotThere() {
    Summary summary = new Summary("4.1.1", LOAD, NOTHING, NOTHING, NOTHING);
    assertThat(summary.failure())
        .contains("no cistern_allocations_total")
        .contains("no copy of Netty");
  }

  @Test
  void failsWhenRequestsFailed() {
    LoadReport load = new LoadReport(1_000, 2, "broken", Duration.ofSeconds(2));
    assertThat(new Summary("4.1.1", load, BEFORE, BEFORE, scrape(9_000)).failure())
        .contains("2 requests failed")
        .contains("broken");
  }

  @Test
  void failsWithoutRequests() {
    LoadReport load = new LoadReport(0, 0, null, Duration.ofSeconds(2));
    assertThat(new Summary("4.1.1", load, BEFORE, BEFORE, scrape(9_000)).failure())
        .contains("answered no request");
  }

  private static Exposition scrape(int allocations) {
    return Exposition.parse(
        """
        cistern_netty_copy_info{pool="io.netty",version="4.1.1",mode="swap"} 1
        cistern_allocations_total{pool="io.netty",memory="direct",size_group="small"} %1$d
        cistern_thread_cache_requests_total{pool="io.netty",memory="direct"} %2$d
        cistern_thread_cache_hits_total{pool="io.netty",memory="direct"} %1$d
        cistern_reserved_bytes{pool="io.netty",memory="direct"} 40
        cistern_pinned_bytes{pool="io.netty",memory="direct"} 10
        cistern_cached_bytes{pool="io.netty",memory="direct"} 20
        cistern_free_bytes{pool="io.netty",memory="direct"} 10
        cistern_leaks_total{pool="io.netty",memory="direct",site="x.Y.z:1"} 7
        cistern_leaks_total{pool="io.netty",memory="direct",site="other"} 0
        cistern_leaked_bytes_total{pool="io.netty",memory="direct",site="x.Y.z:1"} 7000
        cistern_leaked_bytes_total{pool="io.netty",memory="direct",site="other"} 0
        """
            .formatted(allocations, 2 * allocations));
  }
}

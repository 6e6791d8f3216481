/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SiteLabelTest {
  /** printf %s com.shop.Cart.encode:42 | sha256sum | cut -c1-12 */
  static final String CART_HASH = "28a102a4df4f";

  @Test
  void aHashIsWhatSha256sumPrints() {
    assertThat(SiteLabel.hash("com.shop.Cart.encode:42")).isEqualTo(CART_HASH);
    assertThat(SiteLabel.hash("")).isEqualTo("e3b0c44298fc");
    assertThat(SiteLabel.hash("größe")).isEqualTo("d353a2671b67");
  }

  @Test
  void whatTellsNothingStays() {
    assertThat(SiteLabel.hash(SiteLabel.OTHER)).isEqualTo("other");
    assertThat(SiteLabel.hash(CallStack.UNKNOWN)).isEqualTo("unknown");
  }

  @Test
  void theHashOfACutLabelIsThatOfTheWholeName() {
    String site = "com.shop." + "Long".repeat(80) + ".encode:42";
    assertThat(SiteLabel.of(site)).hasSizeLessThan(site.length()).startsWith("com.shop.Long");
    assertThat(SiteLabel.hash(SiteLabel.of(site))).isEqualTo(SiteLabel.hashOfSite(site));
    assertThat(SiteLabel.of(site)).endsWith("~" + SiteLabel.hashOfSite(site));
  }

  @Test
  void aSiteWhoseNameIsThatOfTheRestIsNotTheRest() {
    assertThat(SiteLabel.of("other")).isEqualTo("other:");
    assertThat(SiteLabel.hash(SiteLabel.of("other"))).isEqualTo(SiteLabel.hashOfSite("other"));
  }

  @Test
  void sitesWhoseHashesAreEqualShareASeries() {
    List<LeakEntry> entries = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      entries.add(Reports.entry("direct", "com.shop.A.a:" + i, 1L << i, 100L << i));
    }
    CopyReport copy = Reports.copy("io.netty", Reports.leaks(entries));
    List<SiteNames.Series> named = new SiteNames(3).choose(List.of(copy)).get("io.netty");
    Map<String, SiteNames.Series> styled =
        SiteNames.styled(named, site -> site.equals(SiteLabel.OTHER) ? site : "same").stream()
            .filter(series -> series.memory().equals("direct"))
            .collect(Collectors.toMap(SiteNames.Series::site, series -> series));
    assertThat(styled.keySet()).containsExactlyInAnyOrder("same", "other");
    long others =
        named.stream()
            .filter(series -> series.memory().equals("direct"))
            .filter(series -> series.site().equals(SiteLabel.OTHER))
            .mapToLong(SiteNames.Series::leaks)
            .sum();
    assertThat(styled.get("other").leaks()).isEqualTo(others).isPositive();
    assertThat(styled.get("same").leaks()).isEqualTo(31 - others);
    assertThat(styled.get("same").bytes()).isEqualTo(100 * (31 - others));
  }

  @Test
  void whoMayNotKnowNamesSeesTheSameSumsUnderHashes() {
    CisternCollector collector = new CisternCollector(Reports::host);
    String names = Scrape.openMetrics(collector);
    String hashes = Scrape.openMetrics(collector, SiteStyle.HASHES);
    assertThat(hashes).doesNotContain("com.shop").contains("site=\"other\"", "site=\"unknown\"");
    assertThat(
            names
                .replace("com.shop.Cart.encode:42", CART_HASH)
                .replace("com.shop.Order.<init>:7", SiteLabel.hashOfSite("com.shop.Order.<init>:7"))
                .replace("com.shop.Menu.render:11", SiteLabel.hashOfSite("com.shop.Menu.render:11"))
                .lines()
                .sorted()
                .filter(line -> !line.contains("scrape_duration")))
        .containsExactlyElementsOf(
            hashes.lines().sorted().filter(line -> !line.contains("scrape_duration")).toList());
  }

  @Test
  void aTimeBefore1970IsOfNoExample() {
    assertThat(new LatestLeak("com.shop.A.a:1", 1, -1_500).exemplar()).isNull();
    assertThat(new LatestLeak("com.shop.A.a:1", 1, 0).exemplar()).isNull();
    assertThat(new LatestLeak("com.shop.A.a:1", 1, 1).exemplar()).isNotNull();
  }

  @Test
  void aLeakCounterHasTheLatestLeakAsItsExampleAndNoName() {
    String exposed = Scrape.openMetrics(new CisternCollector(Reports::host));
    assertThat(exposed)
        .contains(
            "site=\"com.shop.Cart.encode:42\"} 3.0 # {site_hash=\""
                + CART_HASH
                + "\"} 2000.0 1795176061.000");
    CisternCollector none =
        new CisternCollector(Reports::host, ExporterOptions.DEFAULT.withSites(0, 0));
    assertThat(Scrape.openMetrics(none))
        .contains("site=\"other\"} 3.0 # {site_hash=\"" + CART_HASH + "\"} 2000.0 1795176061.000");
    assertThat(Scrape.text(none)).doesNotContain("site_hash");
  }
}

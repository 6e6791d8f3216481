/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.LatestLeak;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.exporter.report.SiteStyle;
import dev.cistern.leak.report.CallStack;
import org.junit.jupiter.api.Test;

public class SiteLabelTest {
  /** printf %s com.shop.Cart.encode:42 | sha256sum | cut -c1-12 */
  public static final String CART_HASH = "28a102a4df4f";

  @Test
  void aHashEqualsTheOutputOfSha256sum() {
    assertThat(SiteLabel.hash("com.shop.Cart.encode:42")).isEqualTo(CART_HASH);
    assertThat(SiteLabel.hash("")).isEqualTo("e3b0c44298fc");
    assertThat(SiteLabel.hash("größe")).isEqualTo("d353a2671b67");
  }

  @Test
  void placeholdersAreNotHashed() {
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
  void clientsThatMayNotSeeNamesGetTheSameSumsUnderHashes() {
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
        new CisternCollector(Reports::host, SeriesOptions.DEFAULT.withSites(0, 0));
    assertThat(Scrape.openMetrics(none))
        .contains("site=\"other\"} 7.0 # {site_hash=\"" + CART_HASH + "\"} 2000.0 1795176061.000");
    assertThat(Scrape.text(none)).doesNotContain("site_hash");
  }
}

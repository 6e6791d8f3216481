/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ExpositionTest {
  private static final Exposition SCRAPE =
      Exposition.parse(
          """
          # HELP a_total With {braces} and "quotes".
          # TYPE a_total counter
          a_total{memory="direct",site="x.Y.z:1"} 3.0
          a_total{memory="heap",site="a \\"b\\" \\\\ c\\nd, {e}"} 4.5 1700000000

          up 1
          limit +Inf
          """);

  @Test
  void sumsOverUnspecifiedLabels() {
    assertThat(SCRAPE.sum("a_total")).isEqualTo(7.5);
    assertThat(SCRAPE.sum("a_total", "memory", "heap")).isEqualTo(4.5);
    assertThat(SCRAPE.sum("a_total", "memory", "heap", "site", "x")).isZero();
    assertThat(SCRAPE.sum("up")).isOne();
    assertThat(SCRAPE.sum("limit")).isInfinite();
  }

  @Test
  void distinguishesAMissingMetricFromZero() {
    assertThat(SCRAPE.sumIfThere("nothing")).isEmpty();
    assertThat(SCRAPE.sumIfThere("a_total")).hasValue(7.5);
  }

  @Test
  void groupsByLabelAndUnescapesIt() {
    assertThat(SCRAPE.sumBy("a_total", "site"))
        .containsEntry("x.Y.z:1", 3.0)
        .containsEntry("a \"b\" \\ c\nd, {e}", 4.5);
  }

  @Test
  void namesTheLineThatIsNoMetric() {
    assertThatThrownBy(() -> Exposition.parse("<html>"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("<html>");
  }
}

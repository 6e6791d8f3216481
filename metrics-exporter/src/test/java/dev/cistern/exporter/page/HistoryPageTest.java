/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.History;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryPageTest {
  private static final History.Site OLD = new History.Site("Old.a:1", 10);
  private static final History.Site LATE = new History.Site("Late.b:2", 20);

  private static History.Point point(History.Site... sites) {
    return new History.Point(1_000, List.of(), List.of(sites));
  }

  private static String json(History.Point... points) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    History history = new History(List.of(), List.of(points));
    HistoryPage.write(history, UnaryOperator.identity(), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aSiteThatIsMissingHeldNothing() {
    assertThat(json(point(OLD), point(LATE)))
        .contains("{\"site\":\"Old.a:1\",\"values\":[10,0]}")
        .contains("{\"site\":\"Late.b:2\",\"values\":[0,20]}");
  }

  @Test
  void aSiteThatIsMissingInAFullPointIsUnknown() {
    History.Site[] eight =
        IntStream.range(0, History.SITES)
            .mapToObj(i -> new History.Site("Many.c:" + i, 90))
            .toArray(History.Site[]::new);
    assertThat(json(point(eight), point(LATE)))
        .contains("{\"site\":\"Late.b:2\",\"values\":[null,20]}")
        .contains("{\"site\":\"Many.c:0\",\"values\":[90,0]}");
  }

  @Test
  void aSiteThatIsMissingBesideALostNameIsUnknown() {
    assertThat(json(point(new History.Site("", 5)), point(LATE)))
        .contains("{\"site\":\"Late.b:2\",\"values\":[null,20]}");
  }
}

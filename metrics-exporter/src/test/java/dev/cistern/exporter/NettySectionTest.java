/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NettySectionTest {
  private static String html(NettyReport report) {
    StringBuilder html = new StringBuilder();
    NettySection.append(html, report);
    return html.toString();
  }

  @Test
  void eachAllocatorThatLivesIsShownWithWhatItTells() {
    String page = LandingPage.html(Reports.host(Reports.observed()));
    assertThat(page)
        .contains("Netty's pooled-1, direct memory", "Netty's adaptive-3, heap memory")
        .doesNotContain("pooled-0")
        .contains("<dd>1 2 3 4 5 6</dd>", "<dd>3 2</dd>");
  }

  @Test
  void ofManyTheRestIsALine() {
    assertThat(html(Reports.netty(9))).contains("and 2 more parts of 9 allocators with 15.3 MiB");
    assertThat(html(Reports.netty(8))).doesNotContain("more part");
  }

  @Test
  void aCopyThatIsNotObservedShowsNothing() {
    assertThat(html(NettyReport.NONE)).isEmpty();
  }

  /** What is read at different moments may not fit together. */
  @Test
  void reservedIsPinnedPlusCachedPlusFreeWhateverIsTold() {
    NettyAllocatorReport part =
        new NettyAllocatorReport(
            1, true, "heap", 1, 10, 1_000, 1_200, 300, 0, 0, List.of(), List.of(), List.of(),
            List.of());
    assertThat(part.pinnedBytes() + part.cachedBytes() + part.freePageBytes()).isEqualTo(1_000);
    assertThat(part.cachedBytes()).isNotNegative();
  }
}

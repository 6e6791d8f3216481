/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of sums over the stacks of a live profile. */
class LiveReportTest {
  private static final SiteTrend TREND = new SiteTrend("direct", "Cart.add:1", 5, 6, 7);

  private static LiveStack stack(String memory, String site, long oldestMillis, int bytes) {
    LiveEstimate live =
        new LiveEstimate(
            1, bytes / 3.0, bytes / 7.0, bytes, bytes / 11.0, List.of(bytes / 13.0, 0.0, 0.1, 2.0));
    return new LiveStack(memory, new CallStack(site, List.of(), 0, 0), oldestMillis, 0.5, live);
  }

  private static LiveReport report(LiveStack... stacks) {
    return new LiveReport(9, 0, List.of(stacks), List.of(TREND), 0);
  }

  @Test
  void aSumOfAnyNumberIsThatOfSingleSteps() {
    List<LiveStack> stacks = new ArrayList<>();
    LiveEstimate expected = LiveEstimate.NOTHING;
    EstimateSum sum = new EstimateSum();
    for (int i = 0; i < 5; i++) {
      assertThat(sum.sum()).isEqualTo(expected);
      LiveReport report = new LiveReport(9, 0, stacks, List.of(), 0);
      assertThat(report.total("direct")).isEqualTo(expected);
      LiveStack next = stack("direct", "Cart.add:" + i, 1, 1 << i);
      stacks.add(next);
      stacks.add(stack("heap", "Cart.add:" + i, 1, 77));
      expected = expected.plus(next.live());
      sum.add(next.live());
    }
  }

  @Test
  void aSiteHasAllItsStacksAndTheLargestSiteIsFirst() {
    LiveStack first = stack("direct", "Cart.add:1", 30, 10);
    LiveStack second = stack("direct", "Cart.add:1", 20, 11);
    LiveStack ofHeap = stack("heap", "Cart.add:1", 40, 5);
    LiveStack large = stack("direct", "Menu.show:2", 50, 100);
    assertThat(report(first, ofHeap, large, second).sites())
        .containsExactly(
            site(large, 1, 50, large.live(), new SiteTrend("direct", "Menu.show:2", 0, 0, 0)),
            site(first, 2, 20, first.live().plus(second.live()), TREND),
            site(ofHeap, 1, 40, ofHeap.live(), new SiteTrend("heap", "Cart.add:1", 0, 0, 0)));
  }

  private static LiveSite site(
      LiveStack like, int stacks, long oldestMillis, LiveEstimate live, SiteTrend trend) {
    return new LiveSite(
        like.memory(), like.stack().site(), stacks, oldestMillis, stacks * 0.5, live, trend);
  }

  @Test
  void sitesOfEqualBytesAreInTheOrderOfTheirNames() {
    LiveReport report =
        report(
            stack("heap", "b:1", 1, 3),
            stack("heap", "a:1", 1, 3),
            stack("direct", "b:1", 1, 3),
            stack("direct", "a:1", 1, 3));
    assertThat(report.sites())
        .extracting(site -> site.site() + ' ' + site.memory())
        .containsExactly("a:1 direct", "a:1 heap", "b:1 direct", "b:1 heap");
  }
}

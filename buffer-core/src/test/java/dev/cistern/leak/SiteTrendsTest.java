/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.SiteTrend;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests which sites have a trend, and for how long. */
class SiteTrendsTest {
  private static final long BYTES = 1 << 20;

  private final SiteTrends trends = new SiteTrends(0);
  private long windows;

  private void endWindow() {
    windows++;
    trends.roll(at(TimeUnit.NANOSECONDS.toMillis(windows * SiteTrends.WINDOW_NANOS)));
  }

  private static Moment at(long millis) {
    return new Moment(TimeUnit.MILLISECONDS.toNanos(millis), millis);
  }

  private void arriveAndStay(int samples) {
    for (int i = 0; i < samples; i++) {
      trends.of("direct", "Cache.refresh:1").arrived(BYTES);
    }
  }

  @Test
  void aCacheThatIsRenewedAfterALongPauseIsNoSuspect() {
    SiteHistory first = trends.of("direct", "Cache.refresh:1");
    arriveAndStay(100);
    for (int i = 0; i < 2 * SiteHistory.WINDOWS; i++) {
      endWindow();
    }
    for (int i = 0; i < 5; i++) {
      for (int renewed = 0; renewed < 20; renewed++) {
        first.departed(BYTES); // a sample departs from the history it arrived in
        trends.of("direct", "Cache.refresh:1").arrived(BYTES);
      }
      endWindow();
      assertThat(trends.show()).singleElement().matches(trend -> !trend.isSuspect());
      assertThat(trends.show()).singleElement().matches(trend -> trend.minuteBytes() == 0);
    }
  }

  @Test
  void aSampleThatIsLostYoungArrivesWhenItIsOld() {
    trends.addYoungLost("direct", "Request.read:1", BYTES, 0);
    trends.age(at(9_999));
    assertThat(trends.show()).isEmpty();
    trends.age(at(10_000));
    trends.age(at(20_000));
    assertThat(trends.show()).singleElement().matches(trend -> trend.minuteBytes() == BYTES);
  }

  @Test
  void theFirstOfTooManySamplesThatAreLostYoungArriveEarlier() {
    for (int i = 0; i < SiteTrends.MAX_YOUNG + 10; i++) {
      trends.addYoungLost("direct", "Request.read:1", BYTES, 0);
    }
    assertThat(trends.show()).singleElement().matches(trend -> trend.minuteBytes() == 10 * BYTES);
    trends.age(at(10_000));
    long all = (SiteTrends.MAX_YOUNG + 10) * BYTES;
    assertThat(trends.show()).singleElement().matches(trend -> trend.minuteBytes() == all);
  }

  @Test
  void repeatedBatchesAreNoSuspectButALeakBesideThemIs() {
    SiteHistory history = trends.of("direct", "Cache.refresh:1");
    for (int minute = 0; minute < 10; minute++) {
      for (int window = 0; window < 12; window++) {
        arriveAndStay(10);
        endWindow();
        assertThat(minute > 0 && trends.show().get(0).isSuspect()).isFalse();
      }
      for (int sample = 0; sample < 120; sample++) {
        history.departed(BYTES);
      }
    }
    for (int window = 0; window < 24; window++) {
      arriveAndStay(10);
      endWindow();
    }
    assertThat(trends.show()).singleElement().matches(SiteTrend::isSuspect);
  }

  @Test
  void aSiteWithoutLiveOrReleasableSamplesIsRemoved() {
    SiteHistory history = trends.of("direct", "Cache.refresh:1");
    arriveAndStay(2);
    history.departed(BYTES);
    for (int i = 0; i < 2 * SiteHistory.WINDOWS; i++) {
      endWindow();
    }
    assertThat(trends.show()).hasSize(1);
    history.lost();
    endWindow();
    assertThat(trends.show()).isEmpty();
  }

  @Test
  void aSampleOfOneSiteTooManyIsCountedAndChangesNothingElse() {
    for (int i = 0; i < SiteTrends.MAX_SITES; i++) {
      trends.of("direct", "Site.of:" + i).arrived(BYTES);
    }
    trends.of("direct", "Site.tooMany:1").arrived(BYTES);
    assertThat(trends.dropped()).isEqualTo(1);
    assertThat(trends.show())
        .hasSize(SiteTrends.MAX_SITES)
        .allMatch(trend -> trend.minuteBytes() == BYTES);
  }
}

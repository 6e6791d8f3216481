/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.Diagnosis.AdviceTerm;
import dev.cistern.exporter.schema.Figure;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** The time until a limit is reached, and recommended limits. */
class OutlookTest {
  private static final long MIB = 1L << 20;

  private static TimeSeries series(int seconds, IntToLongFunction value) {
    TimeSeries series = new TimeSeries();
    for (int second = 0; second < seconds; second++) {
      series.add(1_000L * second, value.applyAsLong(second));
    }
    return series;
  }

  static boolean isAhead(Diagnosis.Limit limit) {
    return limit.millis() != Figure.ABSENT;
  }

  private static Diagnosis.Limit outlook(String name, TimeSeries used, long limitBytes) {
    return Outlook.of(name, used, limitBytes, Outlook.Bounded.NONE);
  }

  @Test
  void steadyGrowthReachesTheLimitInTime() {
    Diagnosis.Limit limit =
        outlook("direct", series(300, second -> (100 + second) * MIB), 1_000 * MIB);
    assertThat(isAhead(limit)).isTrue();
    assertThat(limit.millis()).isBetween(560_000L, 640_000L);
    assertThat(limit.earliestMillis()).isLessThanOrEqualTo(limit.millis());
    assertThat(limit.latestMillis()).isBetween(limit.millis(), 700_000L);
  }

  /** Bursts on top of growth: the peaks count, and the range is wider. */
  @Test
  void burstyGrowthIsMeasuredByItsPeaks() {
    IntToLongFunction value = second -> (100 + second / 2 + (second % 45 < 5 ? 300 : 0)) * MIB;
    Diagnosis.Limit limit = outlook("direct", series(600, value), 1_000 * MIB);
    assertThat(isAhead(limit)).isTrue();
    assertThat(limit.earliestMillis()).isLessThan(limit.millis());
    // from a peak of 700 MiB, half a MiB a second
    assertThat(limit.millis()).isBetween(400_000L, 900_000L);
  }

  @Test
  void useThatDoesNotGrowHasNoTime() {
    assertThat(isAhead(outlook("direct", series(600, second -> 500 * MIB), 1_000 * MIB))).isFalse();
    IntToLongFunction bursts = second -> (second % 60 < 10 ? 900 : 100) * MIB;
    assertThat(isAhead(outlook("direct", series(600, bursts), 1_000 * MIB))).isFalse();
    assertThat(isAhead(outlook("direct", series(600, second -> (900 - second) * MIB), 1_000 * MIB)))
        .isFalse();
    assertThat(isAhead(outlook("direct", series(60, second -> second * MIB), 1_000 * MIB)))
        .isFalse();
  }

  /** A process grows at its start, and then needs no more memory. */
  @Test
  void aStartIsNoGrowth() {
    for (int seconds = 30; seconds <= 600; seconds += 5) {
      TimeSeries start = series(seconds, second -> Math.min(350, 7 * second / 3) * MIB);
      assertThat(isAhead(outlook("container", start, 600 * MIB))).as("%d s", seconds).isFalse();
    }
  }

  @Test
  void oneStepIsNoGrowth() {
    IntToLongFunction step = second -> (second < 300 ? 100 : 400) * MIB;
    assertThat(isAhead(outlook("direct", series(600, step), 1_000 * MIB))).isFalse();
  }

  @Test
  void theRecommendedLimitsAreTheSumsOfTheirTerms() {
    LimitWatch limits = new LimitWatch();
    Advisor advisor = new Advisor();
    advisor.add(0, Diagnosed.memory(1));
    advisor.add(60_000, Diagnosed.memory(2));
    assertThat(advisor.advice(599_999, limits.limits(), 256 * MIB)).isEmpty();
    List<AdviceTerm> terms = advisor.advice(600_000, limits.limits(), 256 * MIB);
    assertThat(bytes(terms, AdviceTerm.DIRECT))
        .isEqualTo(bytes(terms, "direct_peak") + bytes(terms, "direct_margin"));
    assertThat(bytes(terms, AdviceTerm.CONTAINER))
        .isEqualTo(
            bytes(terms, "java_heap_limit")
                + bytes(terms, "all_direct")
                + bytes(terms, "other_peak")
                + bytes(terms, "other_margin"));
  }

  private static long bytes(List<AdviceTerm> terms, String name) {
    return terms.stream()
        .filter(term -> term.term().equals(name))
        .mapToLong(AdviceTerm::bytes)
        .findFirst()
        .orElseThrow();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.RankedLeaks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteRankingTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);

  private final SiteRanking ranking = new SiteRanking();
  private final List<LeakedSite> sites = new ArrayList<>();

  private LeakedSite site(int number) {
    while (sites.size() <= number) {
      sites.add(new LeakedSite("direct", "s" + sites.size()));
    }
    return sites.get(number);
  }

  private void leak(int number, long bytes) {
    site(number).addBytes(bytes);
    ranking.add(site(number), bytes);
  }

  /** Returns the bytes by site for a reader that names up to {@code limit} sites. */
  private Map<String, Long> named(int limit) {
    return ranking.show().stream()
        .filter(leaks -> leaks.place() < limit)
        .collect(Collectors.toMap(RankedLeaks::site, RankedLeaks::bytes, Long::sum));
  }

  @Test
  void theFirstSitesAreNamedFromTheirFirstLeakOn() {
    leak(0, 10);
    leak(1, 20);
    leak(0, 1);
    assertThat(named(2)).isEqualTo(Map.of("s0", 11L, "s1", 20L));
    assertThat(named(1)).as("a quarter more, and so first").isEqualTo(Map.of("s1", 20L));
    assertThat(named(0)).isEmpty();
  }

  @Test
  void aSiteRisesWithMoreThanAQuarterMoreAndCountsFromThere() {
    leak(0, 100);
    leak(1, 60);
    leak(1, 65);
    assertThat(named(1)).isEqualTo(Map.of("s0", 100L));
    leak(1, 1);
    assertThat(named(1)).isEqualTo(Map.of("s1", 1L));
    assertThat(named(2)).isEqualTo(Map.of("s0", 100L, "s1", 126L));
    leak(0, 50);
    assertThat(named(1)).as("less than a quarter more").isEqualTo(Map.of("s1", 1L));
    leak(0, 8);
    assertThat(named(1)).as("it begins again").isEqualTo(Map.of("s0", 8L));
  }

  @Test
  void aLateLargestSiteIsFirstForEveryReader() {
    for (int i = 0; i < 500; i++) {
      leak(i, 1_000 + i);
    }
    leak(500, 1_000_000);
    for (int limit = 1; limit <= LeakReport.PLACES; limit++) {
      assertThat(named(limit)).containsEntry("s500", 1_000_000L).hasSize(limit);
    }
  }

  @Test
  void sitesBelowARemovedSiteRise() {
    for (int i = 0; i < 5; i++) {
      leak(i, 100);
    }
    ranking.remove(site(1));
    assertThat(named(2)).as("it has not leaked there").containsOnlyKeys("s0");
    leak(2, 1);
    assertThat(named(2)).isEqualTo(Map.of("s0", 100L, "s2", 1L));
    assertThat(named(4)).containsOnlyKeys("s0", "s2", "s3");
    leak(5, 7);
    assertThat(named(5)).containsOnlyKeys("s0", "s2", "s3", "s4", "s5");
  }

  /**
   * Tests the guarantees of the ranking for each number of sites, after each of many leaks.
   *
   * @param isSmallestGone whether the test sometimes removes the smallest site, instead of a random
   *     one
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void countersNeverGoBackAndTheLargestAreNamed(boolean isSmallestGone) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Map<String, Long>> before = new ArrayList<>();
    for (int limit = 0; limit <= LeakReport.PLACES; limit++) {
      before.add(Map.of());
    }
    Map<Integer, Long> otherBefore = new HashMap<>();
    long all = 0;
    for (int i = 0; i < 3_000; i++) {
      long bytes = 1 + random.nextLong(1L << random.nextInt(1, 20));
      leak(random.nextInt(1 + i / 30), bytes);
      all += bytes;
      if (random.nextInt(100) == 0) {
        LeakedSite gone =
            isSmallestGone
                ? Collections.min(sites, Comparator.comparingLong(LeakedSite::weightBytes))
                : site(random.nextInt(sites.size()));
        ranking.remove(gone);
        sites.set(sites.indexOf(gone), new LeakedSite("direct", "again" + i));
      }
      for (int limit = 0; limit <= LeakReport.PLACES; limit++) {
        String reader = "seed %d, leak %d, limit %d".formatted(SEED, i, limit);
        Map<String, Long> now = named(limit);
        assertThat(now.size()).as(reader).isLessThanOrEqualTo(limit);
        before
            .get(limit)
            .forEach(
                (site, counted) ->
                    assertThat(now.getOrDefault(site, Long.MAX_VALUE))
                        .as(reader)
                        .isGreaterThanOrEqualTo(counted));
        long other = all - now.values().stream().mapToLong(Long::longValue).sum();
        assertThat(other).as(reader).isGreaterThanOrEqualTo(otherBefore.getOrDefault(limit, 0L));
        otherBefore.put(limit, other);
        before.set(limit, now);
        if (isSmallestGone) {
          checkLargestHavePlaces(limit, reader);
        }
      }
    }
  }

  private void checkLargestHavePlaces(int limit, String reader) {
    long smallestNamed = Long.MAX_VALUE;
    long largestOther = 0;
    for (LeakedSite site : sites) {
      if (site.place() < limit) {
        smallestNamed = Math.min(smallestNamed, site.weightBytes());
      } else {
        largestOther = Math.max(largestOther, site.weightBytes());
      }
    }
    if (limit > 0 && smallestNamed < Long.MAX_VALUE) {
      assertThat(largestOther - smallestNamed).as(reader).isLessThanOrEqualTo(smallestNamed / 4);
    }
  }
}

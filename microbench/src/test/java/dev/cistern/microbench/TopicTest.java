/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TopicTest {
  @Test
  void noCaseBelongsToTwo() {
    Set<String> seen = new HashSet<>();
    for (Topic topic : Topic.values()) {
      List<Case> cases = Cases.select(published(topic));
      assertThat(cases).as(topic.label()).isNotEmpty();
      cases.forEach(one -> assertThat(seen.add(one.id)).as(one.id).isTrue());
    }
  }

  @Test
  void holdAllWorkloadsAndAllOperationsOfTheLibrary() {
    List<String> selected = new ArrayList<>();
    for (Topic topic : List.of(Topic.LIBRARY, Topic.HOSTS, Topic.LEAKS)) {
      Cases.select(published(topic)).forEach(one -> selected.add(one.id));
    }
    for (List<Case> group : List.of(PairedCases.all(), SeedCases.all(), HostCases.all())) {
      group.forEach(one -> assertThat(selected).contains(one.id));
    }
  }

  @Test
  void allocatorsAreComparedWithTheTwoMainPeers() {
    List<Case> cases = Cases.select(published(Topic.ALLOCATOR));
    assertThat(cases).hasSize(12);
    assertThat(cases)
        .allSatisfy(
            one ->
                assertThat(one.variants())
                    .startsWith(Variant.LIBRARY)
                    .contains(Variant.POOLED, Variant.ADAPTIVE_BEST)
                    .doesNotContain(Variant.POOLED_BEST, Variant.ADAPTIVE));
  }

  @Test
  void theEngineIsComparedWithTheBestOfBothPeersAndItsPairWithTheLowerBound() {
    List<Case> cases = Cases.select(published(Topic.ENGINE));
    assertThat(cases).hasSize(25);
    for (Case one : cases) {
      assertThat(one.variants())
          .as(one.id)
          .startsWith(Variant.LIBRARY, Variant.POOLED_BEST, Variant.ADAPTIVE_BEST);
      assertThat(one.target().ofBest()).as(one.id).isPositive();
      assertThat(one.variants().contains(Variant.FLOOR))
          .as(one.id)
          .isEqualTo(!Double.isNaN(one.target().ofFloor()));
    }
  }

  private static BenchOptions published(Topic topic) {
    return BenchOptions.parse(List.of("--publish", topic.label()));
  }
}

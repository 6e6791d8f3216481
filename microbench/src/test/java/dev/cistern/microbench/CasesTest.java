/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

final class CasesTest {
  /**
   * The overhead of a fork in addition to its iterations: the start of the JVM and of JMH, and the
   * setup of windows.
   */
  private static final int FORK_START_MILLIS = 1000;

  private static final int FIRST_LOOK_MILLIS = 5 * 60 * 1000;

  @Test
  void haveDifferentNames() {
    Set<String> seen = new HashSet<>();
    for (Case one : Cases.all()) {
      assertThat(seen.add(one.id)).as(one.id).isTrue();
    }
  }

  @Test
  void areInAFirstLookWithOneOfEachPatternThatHasATarget() {
    List<Case> aimed = new ArrayList<>(Cases.all());
    aimed.removeIf(one -> one.target() == Target.NONE || one.isPaired() || one.isHosted());
    aimed.removeIf(one -> one.target().rule() != Target.Rule.MEDIAN); // needs ten rounds
    assertThat(patterns(Cases.select("", true, false)))
        .containsAll(patterns(aimed))
        .contains("pair", "large", "lifetime", "crowd-8", "bridge", "leaks", "I1-no-cache");
  }

  @Test
  void takeLessThanFiveMinutesInAFirstLook() {
    BenchOptions quick = BenchOptions.parse(List.of("--quick"));
    int millis = 0;
    for (Case one : Cases.select("", true, false)) {
      int iterations = one.warmups(quick) + one.iterations(quick);
      int forkMillis = FORK_START_MILLIS + iterations * one.iterationMillis(quick);
      millis += quick.rounds() * one.variants().size() * forkMillis;
    }
    assertThat(millis).isLessThan(FIRST_LOOK_MILLIS);
  }

  @Test
  void areFoundByAPartOfTheirName() {
    assertThat(Cases.select("pair/direct/1KiB/plain", false, false))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.variants())
                    .containsExactly(
                        Variant.LIBRARY,
                        Variant.POOLED,
                        Variant.POOLED_BEST,
                        Variant.ADAPTIVE_BEST));
    assertThat(Cases.select("no such case", false, false)).isEmpty();
  }

  @Test
  void runInFullIfAFirstLookHasNoneOfThem() {
    assertThat(Cases.select("pair/heap/8KiB/plain", true, false)).hasSize(1);
  }

  @Test
  void compareTheNettyAllocatorWithTheBestOfBothPeers() {
    List<Case> cases = Cases.select("^netty-allocator/direct/(64B|1KiB|8KiB|64KiB)/", false, false);
    assertThat(cases).hasSize(8);
    for (Case one : cases) {
      assertThat(one.target().ofBest()).as(one.id).isEqualTo(0.75);
      assertThat(one.variants())
          .as(one.id)
          .containsExactly(
              Variant.NETTY_ALLOCATOR,
              Variant.NETTY_ALLOCATOR_SAMPLED,
              Variant.POOLED_BEST,
              Variant.ADAPTIVE_BEST);
    }
  }

  @Test
  void takeEveryPeerIfRequested() {
    for (boolean quick : new boolean[] {false, true}) {
      assertThat(Cases.select("pair/direct/64B/loop", quick, true).get(0).variants())
          .contains(Variant.POOLED, Variant.POOLED_BEST, Variant.ADAPTIVE, Variant.ADAPTIVE_BEST);
    }
  }

  @Test
  void haveEveryPairOfMethods() {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
    Set<String> ours =
        BenchmarkList.defaultList().find(silent, List.of("Ours$"), List.of()).stream()
            .map(entry -> entry.getUsername())
            .collect(Collectors.toSet());
    Set<String> found =
        Cases.all().stream()
            .filter(Case::isPaired)
            .map(one -> Cases.class.getPackageName() + "." + one.benchmark(Variant.LIBRARY))
            .collect(Collectors.toSet());
    assertThat(found).isNotEmpty().isEqualTo(ours);
  }

  @Test
  void haveEveryWorkloadOfHosts() {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
    String hosts = Cases.class.getPackageName() + ".host.";
    Set<String> there =
        BenchmarkList.defaultList()
            .find(silent, List.of("^" + Pattern.quote(hosts)), List.of())
            .stream()
            .map(entry -> entry.getUsername())
            .collect(Collectors.toSet());
    Set<String> found =
        HostCases.all().stream()
            .map(one -> Cases.class.getPackageName() + "." + one.benchmark)
            .collect(Collectors.toSet());
    assertThat(found).isNotEmpty().isEqualTo(there);
    assertThat(patterns(HostCases.all())).containsExactlyInAnyOrder("J1", "J2", "J3", "J4", "J5");
  }

  @Test
  void measureFromTheStartOfTwentyJvmsForEightSeconds() {
    BenchOptions options = BenchOptions.parse(List.of("--publish", "engine"));
    assertThat(Cases.select("engine/start/", false, false))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.rounds(options)).isEqualTo(20);
              assertThat(one.warmups(options)).isZero();
              assertThat(one.iterations(options)).isEqualTo(1);
              assertThat(one.iterationMillis(options)).isEqualTo(8000);
            });
    assertThat(Cases.select("engine/crowd/", false, false))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.rounds(options)).isEqualTo(10);
              assertThat(one.warmups(options) * one.iterationMillis(options))
                  .isGreaterThanOrEqualTo(15_000);
            });
  }

  private static Set<String> patterns(List<Case> cases) {
    return cases.stream()
        .map(one -> one.id.substring(0, one.id.indexOf('/')))
        .collect(Collectors.toSet());
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs one tiny iteration of each benchmark in this JVM. It checks that a benchmark works and
 * releases all that it allocates. Variants that need the agent are excluded.
 */
@Tag("full")
final class EveryBenchmarkTest {
  private static final BenchOptions TINY =
      new BenchOptions("", "", "G1", null, true, false, false, 1, 0, 1, 10);

  @ParameterizedTest
  @MethodSource("benchmarks")
  void runs(Case one, Variant variant) throws IOException, Fork.Failure {
    double[] nanos = Fork.inThisProcess(TINY, Jdk.of("")).run(one, variant);
    assertThat(nanos).hasSize(one.countsMiddleHalf() ? 4 : 1);
    for (double time : nanos) {
      assertThat(time).isPositive();
    }
    assertThat(LibrarySubject.pinnedByLast()).isZero();
  }

  /** Returns the first case of each benchmark, with all variants that run without an agent. */
  static Stream<Arguments> benchmarks() {
    Map<String, Case> first = new LinkedHashMap<>();
    for (Case one : Cases.all()) {
      if (one.minimumJdk() <= Runtime.version().feature() && one.missing() == null) {
        first.putIfAbsent(one.benchmark, one);
        first.putIfAbsent(one.benchmark + List.of(one.variants().get(0)), one);
      }
    }
    return first.values().stream()
        .distinct()
        .flatMap(
            one ->
                one.variants().stream()
                    .filter(variant -> !variant.bridged())
                    .map(variant -> Arguments.of(Named.of(one.id, one), variant)));
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Checks that every seed benchmark has a case with its name, which compares Cistern with current
 * peers.
 */
@Tag("I1")
@Tag("I2")
@Tag("I3")
@Tag("I4")
@Tag("I5")
@Tag("I6")
@Tag("I7")
@Tag("I9")
final class SeedCasesTest {
  /** The prefix of the cases without a published result. */
  private static final String WITHOUT_FIGURE = "I2/write-utf8/ascii-string/";

  /** The overhead of a fork in addition to its iterations; these benchmarks have little setup. */
  private static final int FORK_START_MILLIS = 350;

  private static final int MAX_MILLIS = 26 * 60 * 1000;

  @ParameterizedTest
  @ValueSource(strings = {"I1", "I2", "I3", "I4", "I5", "I6", "I7", "I9"})
  void aRowIsFoundByItsNameAndMeasuresBothLibraries(String row) {
    List<Case> cases = Cases.select(row, false, false);
    assertThat(cases).isNotEmpty();
    for (Case one : cases) {
      assertThat(one.id).matches(row + "[-/].*");
      assertThat(one.variants().get(0).side()).as(one.id).isEqualTo(Variant.Side.OURS);
      assertThat(one.variants())
          .as(one.id)
          .anyMatch(peer -> peer.side() == Variant.Side.PEER && peer != Variant.JDK);
      assertThat(one.target()).as(one.id).isNotEqualTo(Target.NONE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"I2", "I4", "I7", "I9"})
  void aRowWithAJdkCounterpartIsComparedWithIt(String row) {
    assertThat(Cases.select(row, false, false))
        .anyMatch(one -> one.variants().contains(Variant.JDK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"I1", "I2", "I3", "I4", "I5", "I6", "I7"})
  void aRowHasTheFiguresOfItsSeed(String row) {
    for (Case one : Cases.select(row, false, false)) {
      if (!one.id.startsWith(WITHOUT_FIGURE)) {
        assertThat(SeedFigures.of(one)).as(one.id).isNotNull();
      }
    }
  }

  @Test
  void eachFigureIsThatOfACase() {
    assertThat(Cases.all().stream().map(one -> one.id).toList())
        .containsAll(SeedFigures.all().keySet());
  }

  @Test
  void eachSideHasItsMethod() {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
    Set<String> methods =
        BenchmarkList.defaultList().find(silent, List.of(".*"), List.of()).stream()
            .map(entry -> entry.getUsername())
            .collect(Collectors.toSet());
    Set<String> wanted = new HashSet<>();
    for (Case one : SeedCases.all()) {
      for (Variant variant : one.variants()) {
        wanted.add(Cases.class.getPackageName() + "." + one.benchmark(variant));
      }
    }
    assertThat(methods).containsAll(wanted);
  }

  @Test
  void allRowsTogetherTakeMinutesInTenRounds() {
    BenchOptions options = BenchOptions.parse(List.of("--rounds", "10"));
    long millis = 0;
    for (Case one : Cases.select("I[0-9]", false, false)) {
      int iterations = one.warmups(options) + one.iterations(options);
      int forkMillis = FORK_START_MILLIS + iterations * one.iterationMillis(options);
      millis += (long) options.rounds() * one.variants().size() * forkMillis;
    }
    assertThat(millis).isLessThan(MAX_MILLIS);
  }
}

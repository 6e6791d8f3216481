/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.TestLength;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a released buffer is never reported as a leak, whichever thread releases it, as any
 * view or component, after any move, and at any level.
 */
@Tag("E1")
@Tag("E6")
class NoFalseLeaksTest {
  private static final int OPERATIONS = TestLength.choose(10_000, 40_000, 2_000_000);

  @ParameterizedTest
  @CsvSource({
    "simple, 1, false",
    "simple, 128, false",
    "advanced, 1, false",
    "paranoid, 1, false",
    "paranoid, 4, true"
  })
  void nothingIsReported(String level, int samplingInterval, boolean switchesLevels)
      throws IOException, InterruptedException {
    run(
        switchesLevels,
        "-Dcistern.leakDetection.level=" + level,
        "-Dcistern.leakDetection.samplingInterval=" + samplingInterval);
  }

  @ParameterizedTest
  @CsvSource({"simple, false", "advanced, false", "simple, true"})
  void nothingIsReportedIfSamplesAreSelectedByBytes(String level, boolean switchesLevels)
      throws IOException, InterruptedException {
    run(
        switchesLevels,
        "-Dcistern.leakDetection.level=" + level,
        "-Dcistern.sampleIntervalBytes=1k");
  }

  private static void run(boolean switchesLevels, String... options)
      throws IOException, InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("cistern.seed=" + seed);
    String output =
        OwnJvm.of(CorrectReleases.class)
            .with(options)
            .run(
                Long.toString(seed),
                Boolean.toString(switchesLevels),
                Integer.toString(OPERATIONS));
    assertThat(output).as("cistern.seed=%s", seed).contains("as expected");
  }
}

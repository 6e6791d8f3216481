/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the live profile of the library's buffers. */
class LiveBytesTest {
  private static void run(String what, String... settings)
      throws IOException, InterruptedException {
    assertThat(OwnJvm.of(LiveBytes.class).with(settings).run(what)).contains("as expected");
  }

  @ParameterizedTest
  @CsvSource({
    "held, simple",
    "held, advanced",
    "held, paranoid",
    "unpooled, simple",
    "unpooled, paranoid",
    "grown, simple",
    "grown, advanced",
    "grown, paranoid",
    "lost, simple",
    "lost, advanced",
    "lost, paranoid",
    "counted, simple",
    "counted, paranoid",
    "moved, simple",
    "others, simple",
    "others, advanced",
    "others, paranoid"
  })
  void theEstimateIsExactIfEachBufferIsSampled(String what, String level)
      throws IOException, InterruptedException {
    run(what, "-Dcistern.sampleIntervalBytes=1k", "-Dcistern.leakDetection.level=" + level);
  }

  @Test
  void aSamplingIntervalIsTheDetectorsOnly() throws IOException, InterruptedException {
    run(
        "held",
        "-Dcistern.sampleIntervalBytes=1k",
        "-Dcistern.leakDetection.samplingInterval=1024");
  }

  /** Half of the buffers have two samples, of which the second replaces the first. */
  @Test
  void aBufferThatIsSampledTwoWaysIsOneAllocationAndOneLifetime()
      throws IOException, InterruptedException {
    run(
        "counted",
        "-Dcistern.sampleIntervalBytes=1k",
        "-Dcistern.leakDetection.level=advanced",
        "-Dcistern.leakDetection.samplingInterval=2");
  }

  @ParameterizedTest
  @CsvSource({"simple", "advanced"})
  void aBufferThatGrowsCountsOnceOnAverage(String level) throws IOException, InterruptedException {
    run(
        "estimated",
        "-Dcistern.sampleIntervalBytes=256k",
        "-Dcistern.leakDetection.level=" + level);
  }

  @Test
  void anIntervalOfZeroTurnsItOff() throws IOException, InterruptedException {
    run("off", "-Dcistern.sampleIntervalBytes=0");
  }

  @Test
  void theIntervalOfAPoolCanBeSetAtRunTime() throws IOException, InterruptedException {
    run("changed", "-Dcistern.sampleIntervalBytes=1k");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a refused setting is logged with the permitted values, and keeps its default. */
@Tag("E1")
@Tag("E3")
class LeakSettingsTest {
  private static List<String> shown(String... settings) throws IOException, InterruptedException {
    return OwnJvm.of(LeakSettingsShown.class).with(settings).run().lines().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "leakDetection.level            | verbose     | DISABLED, SIMPLE, ADVANCED, PARANOID | simple",
        "leakDetection.level            | 4           | DISABLED, SIMPLE, ADVANCED, PARANOID | simple",
        "leakDetection.samplingInterval | -1          | from 1 to 1073741824   | 128",
        "leakDetection.samplingInterval | 0           | from 1 to 1073741824   | 128",
        "leakDetection.samplingInterval | 100         | a power of two         | 128",
        "leakDetection.samplingInterval | 2147483648  | from 1 to 1073741824   | 128",
        "leakDetection.targetRecords    | -1          | from 0 to 1024         | 4",
        "leakDetection.targetRecords    | many        | from 0 to 1024         | 4",
        "leakDetection.maxWatched       | 0           | from 1 to 16777216     | 16384",
        "leakDetection.quarantineBytes  | -8          | from 0 to 1099511627776 | 8388608",
        "leakDetection.acquireAndReleaseOnly | perhaps | true or false         | RELEASE_ONLY",
        "sampleIntervalBytes            | -1          | 0 or bytes from 1k to 1g | 524288",
        "sampleIntervalBytes            | 1023        | 0 or bytes from 1k to 1g | 524288",
        "sampleIntervalBytes            | 2g          | 0 or bytes from 1k to 1g | 524288",
        "sampleIntervalBytes            | k           | 0 or bytes from 1k to 1g | 524288",
        "sampleIntervalBytes            | 9999999999g | 0 or bytes from 1k to 1g | 524288",
        "sampleIntervalBytes            | 1.5m        | 0 or bytes from 1k to 1g | 524288"
      })
  void aRefusedValueIsLoggedWithThePermittedOnes(
      String key, String value, String allowed, String isKept)
      throws IOException, InterruptedException {
    List<String> output = shown("-Dcistern." + key + "=" + value);
    assertThat(output)
        .filteredOn(line -> line.contains("cistern." + key + "=" + value))
        .isNotEmpty()
        .allMatch(line -> line.contains(allowed));
    assertThat(output).contains(key + " is " + isKept);
  }

  @Test
  void aPermittedValueIsUsed() throws IOException, InterruptedException {
    List<String> output =
        shown(
            "-Dcistern.leakDetection.level=Paranoid",
            "-Dcistern.leakDetection.samplingInterval=64",
            "-Dcistern.leakDetection.targetRecords=0",
            "-Dcistern.leakDetection.maxWatched=1",
            "-Dcistern.leakDetection.quarantineBytes=0",
            "-Dcistern.leakDetection.acquireAndReleaseOnly=true",
            "-Dcistern.sampleIntervalBytes=1M");
    assertThat(output)
        .containsExactly(
            "leakDetection.level is paranoid",
            "leakDetection.samplingInterval is 64",
            "leakDetection.targetRecords is 0",
            "leakDetection.maxWatched is 1",
            "leakDetection.quarantineBytes is 0",
            "leakDetection.acquireAndReleaseOnly is COUNTS",
            "sampleIntervalBytes is 1048576");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1k, 1024", "1024, 1024", "1g, 1073741824", "512K, 524288"})
  void bytesMayHaveAUnit(String text, long bytes) {
    assertThat(LeakSettings.intervalBytes(text)).isEqualTo(bytes);
  }
}

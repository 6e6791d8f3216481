/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The measurement of each minute, in a process with a touched heap of 12 GiB, delays no thread that
 * maps and faults for longer than 10 ms. Alone on a machine with 16 GiB.
 */
@Tag("alone")
class MinuteStallTest {
  private static final double MAX_STALL_MILLIS = 10;
  private static final long LIMIT_MINUTES = 5;
  private static final Pattern SAMPLES =
      Pattern.compile("samples: .* longest round ([0-9.]+) ms in the median");

  @Test
  void noThreadWaitsLongForTheMinutesMeasurement() throws IOException, InterruptedException {
    assumeTrue(TestLength.isLong());
    Process probe =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xms12g",
                    "-Xmx12g",
                    "-XX:+AlwaysPreTouch",
                    "-cp",
                    System.getProperty("java.class.path"),
                    StallProbe.class.getName()))
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      System.out.println(output);
      assertThat(probe.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
      Matcher samples = SAMPLES.matcher(output);
      assertThat(samples.find()).as(output).isTrue();
      assertThat(Double.parseDouble(samples.group(1))).isLessThan(MAX_STALL_MILLIS);
    } finally {
      probe.destroyForcibly();
    }
  }
}

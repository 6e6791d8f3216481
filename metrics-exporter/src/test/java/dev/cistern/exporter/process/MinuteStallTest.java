/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.TestLength;
import dev.cistern.testing.Tool;
import java.io.IOException;
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
    List<String> options = List.of("-Xms12g", "-Xmx12g", "-XX:+AlwaysPreTouch");
    String output =
        Tool.run(Tool.java(options, StallProbe.class), TimeUnit.MINUTES.toSeconds(LIMIT_MINUTES))
            .printed();
    System.out.println(output);
    Matcher samples = SAMPLES.matcher(output);
    assertThat(samples.find()).as(output).isTrue();
    assertThat(Double.parseDouble(samples.group(1))).isLessThan(MAX_STALL_MILLIS);
  }
}

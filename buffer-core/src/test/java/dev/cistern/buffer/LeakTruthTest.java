/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares suspects, leaks and estimates with a program that knows the truth ({@link LeakTruth}).
 * Each site that leaks 1 MiB in a second or more is suspected within 60 s; at half of these sites,
 * the garbage collector finds no leak. No other site is ever suspected or reported. The live bytes
 * are estimated within three standard errors, in total and by site.
 *
 * <p>The long form runs for two minutes with all defaults. The short form runs for a minute with a
 * clock that is four times as fast, at a quarter of the sampling interval. The standard error of
 * the total was 1.6 % at the end of both: a bias of 5 % is three of these, and is found.
 *
 * <p>Chance: the total is beyond three standard errors once in 370 runs, and more than three of the
 * hundred sites are once in 2,000. So a run that fails for its estimates or suspects is repeated
 * once with another seed: both fail by chance once in 100,000. The test is skipped if the second
 * run fails for its suspects after the program paused for five seconds of its clock. The sites then
 * did not behave as planned. A false leak report fails the test at once.
 */
@Tag("full")
class LeakTruthTest {
  private static final boolean IS_LONG = TestLength.isLong();
  private static final long MAX_SECONDS = IS_LONG ? 200 : 60;

  @TempDir Path directory;

  private String said = "";

  @Test
  void leakingSitesAreSuspectedHonestOnesAreNotAndEstimatesAreTrue()
      throws IOException, InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    int end = run(seed);
    if (end != LeakTruth.TRUE && end != LeakTruth.FALSE) {
      end = run(seed + 1);
    }
    assumeThat(end)
        .as("the machine paused for too long: " + said)
        .isNotEqualTo(LeakTruth.DISTURBED);
    assertThat(end).as(said).isEqualTo(LeakTruth.TRUE);
  }

  private int run(long seed) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1500m");
    command.add("-XX:MaxDirectMemorySize=6g");
    if (!IS_LONG) {
      command.add("-Dcistern.sampleIntervalBytes=128k");
      command.add("-Dcistern.leakDetection.maxWatched=65536");
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(LeakTruth.class.getName());
    command.add(Long.toString(seed));
    command.addAll(IS_LONG ? List.of("120", "1", "4", "600") : List.of("70", "4", "6", "200"));
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    said = "-Dcistern.seed=" + seed + "\n" + Files.readString(output);
    System.out.println(said);
    assertThat(ended).as(said).isTrue();
    return process.exitValue();
  }
}

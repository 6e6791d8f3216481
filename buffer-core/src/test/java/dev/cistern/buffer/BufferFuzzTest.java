/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.TestLength;
import dev.cistern.testing.Tool;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that misuse of buffers by several threads does not crash the JVM. */
class BufferFuzzTest {
  private static final long OPERATIONS = TestLength.choose(200_000, 1_000_000, 10_000_000);
  private static final long MAX_SECONDS = TestLength.choose(100, 100, 900);

  @TempDir Path directory;

  @Test
  @Tag("B4")
  void releasedAndShrunkAndSharedBuffersNeverCrashTheJvm()
      throws IOException, InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("BufferFuzzTest: -Dcistern.seed=" + seed);
    Path crash = directory.resolve("hs_err.txt");
    Tool.Outcome outcome =
        OwnJvm.of(BufferFuzz.class)
            .with(
                "-Xmx512m",
                "-XX:ErrorFile=" + crash,
                "-XX:-CreateCoredumpOnCrash",
                "-Dcistern.leakDetection.level=" + level())
            .within(MAX_SECONDS)
            .outcome(Long.toString(seed), Long.toString(OPERATIONS));
    String output = outcome.printed();
    if (Files.exists(crash)) {
      String report = Files.readString(crash);
      output += report.substring(0, Math.min(report.length(), 8000));
    }
    System.out.println(output);
    assertThat(outcome.status()).as("cistern.seed=%s: %s", seed, output).isZero();
  }

  /**
   * Returns the default level, or the highest level with {@code -Pleak}, at which released slots
   * stay in quarantine and buffer objects are not reused.
   */
  private static String level() {
    return ResourceLeakDetector.getLevel() == Level.PARANOID ? "paranoid" : "simple";
  }
}

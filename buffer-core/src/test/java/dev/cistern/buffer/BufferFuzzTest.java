/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    Path output = directory.resolve("output.txt");
    Path crash = directory.resolve("hs_err.txt");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-XX:ErrorFile=" + crash,
                    "-XX:-CreateCoredumpOnCrash",
                    "-Dcistern.leakDetection.level=" + level(),
                    "-cp",
                    System.getProperty("java.class.path")
                        + File.pathSeparator
                        + place(ByteBuf.class)
                        + File.pathSeparator
                        + place(BufferFuzz.class),
                    BufferFuzz.class.getName(),
                    Long.toString(seed),
                    Long.toString(OPERATIONS)))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(output);
    if (Files.exists(crash)) {
      String report = Files.readString(crash);
      said += report.substring(0, Math.min(report.length(), 8000));
    }
    System.out.println(said);
    assertThat(ended).as("cistern.seed=%s: ended in time; it said %s", seed, said).isTrue();
    assertThat(process.exitValue()).as("cistern.seed=%s: %s", seed, said).isZero();
  }

  /**
   * Returns the default level, or the highest level with {@code -Pleak}, at which released slots
   * stay in quarantine and buffer objects are not reused.
   */
  private static String level() {
    return ResourceLeakDetector.getLevel() == Level.PARANOID ? "paranoid" : "simple";
  }

  private static String place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The engine with a full Java heap: runs {@link HeapExhaustion} and {@link FirstUse}, each in a
 * separate JVM.
 */
@Tag("A15")
class HeapExhaustionTest {
  private static final long MILLIS = TestLength.choose(1_200, 2_000, 30_000);
  private static final long MAX_SECONDS = MILLIS / 1000 + 60;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "true, -XX:+UseSerialGC",
    "false, -XX:+UseSerialGC",
    "true, -XX:+UseG1GC",
    "false, -XX:+UseG1GC"
  })
  void aFullHeapLosesNothing(boolean threadCaches, String collector)
      throws IOException, InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("-Dcistern.seed=" + seed);
    String seedOption = "-Dcistern.seed=" + seed;
    check(
        seedOption,
        List.of(
            "-Xmx24m",
            collector,
            "-XX:-UseGCOverheadLimit",
            "-cp",
            String.join(File.pathSeparator, place(BufferPool.class), place(HeapExhaustion.class)),
            HeapExhaustion.class.getName(),
            Long.toString(seed),
            Long.toString(MILLIS),
            Boolean.toString(threadCaches)));
  }

  @Test
  void firstRequestsAndRetirementsInAFullHeapLoseNothing()
      throws IOException, InterruptedException {
    check(
        "first use",
        List.of(
            "-Xmx12m",
            "-XX:+UseSerialGC",
            "-XX:-UseGCOverheadLimit",
            "-cp",
            String.join(File.pathSeparator, place(BufferPool.class), place(FirstUse.class)),
            FirstUse.class.getName(),
            place(BufferPool.class),
            place(FirstUse.class)));
  }

  private void check(String name, List<String> arguments) throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    List<String> command = new ArrayList<>(arguments);
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(output);
    System.out.println(said);
    assertThat(ended).as("%s: ended in time; it said %s", name, said).isTrue();
    assertThat(process.exitValue()).as("%s: %s", name, said).isZero();
  }

  private static String place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }
}

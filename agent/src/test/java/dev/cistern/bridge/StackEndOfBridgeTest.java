/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stack ends at every depth of an allocation, a release or a move: {@link StackEndOfBridge}.
 */
class StackEndOfBridgeTest {
  @TempDir Path directory;

  @Test
  void aStackThatEndsInABufferOfTheBridgeLosesNothing() throws Exception {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Xint",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StackEndOfBridge.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String printed = Files.readString(output);
    System.out.println(printed);
    assertThat(ended).as("ended in time; it said %s", printed).isTrue();
    assertThat(process.exitValue()).as("it said %s", printed).isZero();
  }
}

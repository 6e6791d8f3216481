/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a release in a full heap: runs {@link FullHeap} in a separate JVM. */
@Tag("C3")
class FullHeapTest {
  private static final int MAX_SECONDS = 60;

  @TempDir Path directory;

  @Test
  void theComponentsOfACompositeAreReleased() throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:-UseGCOverheadLimit",
                "-cp",
                String.join(File.pathSeparator, place(ByteBuf.class), place(FullHeap.class)),
                FullHeap.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(output);
    assertThat(ended).as("ended in time; it said %s", said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }

  private static String place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }
}

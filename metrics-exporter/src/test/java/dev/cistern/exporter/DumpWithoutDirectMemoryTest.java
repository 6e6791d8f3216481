/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A dump is for the moment when direct memory has run out, and so must not need any. */
@Timeout(90)
class DumpWithoutDirectMemoryTest {
  @TempDir Path directory;

  @Test
  void aDumpIsWrittenThough() throws Exception {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxDirectMemorySize=1m",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Exhausted.class.getName(),
                directory.resolve("dumps").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    Path dump = Path.of(Files.readString(output).trim());
    assertThat(dump.resolve("live.json")).isRegularFile();
    ProfileSchema.read(Files.readAllBytes(dump.resolve("heap.pb.gz")));
  }

  /** A process that has taken all of its direct memory. */
  static final class Exhausted {
    private static final List<ByteBuffer> TAKEN = new ArrayList<>();

    private Exhausted() {}

    public static void main(String[] arguments) throws Exception {
      for (int bytes = 64 << 10; bytes > 0; ) {
        try {
          TAKEN.add(ByteBuffer.allocateDirect(bytes));
        } catch (OutOfMemoryError e) {
          bytes /= 16; // each refusal takes half a second
        }
      }
      System.out.println(DiagnosticsDump.write(Path.of(arguments[0]), Reports.host(), "test"));
    }
  }
}

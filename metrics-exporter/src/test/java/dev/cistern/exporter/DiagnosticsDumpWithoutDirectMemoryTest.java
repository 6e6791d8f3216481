/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.testing.Tool;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A dump must need no direct memory, because it is written when direct memory has run out. */
@Timeout(90)
class DiagnosticsDumpWithoutDirectMemoryTest {
  @TempDir Path directory;

  @Test
  void aDumpIsWrittenWithoutDirectMemory() throws Exception {
    Tool.Outcome outcome =
        Tool.run(
            Tool.java(
                List.of("-XX:MaxDirectMemorySize=1m", "-Xmx128m"),
                Exhausted.class,
                directory.resolve("dumps").toString()),
            60);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    Path dump = Path.of(outcome.printed().trim());
    assertThat(dump.resolve("live.json")).isRegularFile();
    ProfileSchema.read(Files.readAllBytes(dump.resolve("heap.pb.gz")));
  }

  /** A process that has allocated all of its direct memory. */
  static final class Exhausted {
    private static final List<ByteBuffer> TAKEN = new ArrayList<>();

    private Exhausted() {}

    public static void main(String[] arguments) throws Exception {
      for (int bytes = 64 << 10; bytes > 0; ) {
        try {
          TAKEN.add(ByteBuffer.allocateDirect(bytes));
        } catch (OutOfMemoryError e) {
          bytes /= 16; // each failure takes half a second
        }
      }
      System.out.println(DiagnosticsDump.write(Path.of(arguments[0]), Reports.host(), "test"));
    }
  }
}

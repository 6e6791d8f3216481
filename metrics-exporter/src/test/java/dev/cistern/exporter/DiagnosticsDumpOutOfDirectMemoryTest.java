/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application whose direct memory runs out writes a dump that names the line. */
@Timeout(90)
class DiagnosticsDumpOutOfDirectMemoryTest {
  @TempDir Path directory;

  @Test
  void theLineThatTookAllOfItIsInTheDump() throws Exception {
    Path dumps = directory.resolve("dumps");
    Tool.Outcome outcome =
        Tool.run(
            Tool.java(
                List.of("-XX:MaxDirectMemorySize=64m", "-Xmx128m"),
                Leaking.class,
                dumps.toString()),
            60);
    String printed = outcome.printed();
    assertThat(outcome.status()).as(printed).isZero();
    List<Path> written = list(dumps);
    assertThat(written).as(printed).hasSize(1);
    assertThat(written.get(0).getFileName().toString()).endsWith("-auto-out-of-direct-memory");
    assertThat(written.get(0).resolve("live.txt"))
        .content()
        .contains("DiagnosticsDumpOutOfDirectMemoryTest$Leaking.takeAll");
    assertThat(written.get(0).resolve("metrics.txt"))
        .content()
        .containsPattern(
            "cistern_failed_allocations_total\\{.*memory=\"direct\",pool=\"orders\"} 1.0");
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().contains("/cistern-dump-")).toList();
    }
  }

  /**
   * Runs out of direct memory three times: at first, after the dump, and after the end of automatic
   * dumps.
   */
  static final class Leaking {
    private static final List<ByteBuf> TAKEN = new ArrayList<>();

    private Leaking() {}

    public static void main(String[] arguments) throws Exception {
      PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
      AllocatorSource source = new AllocatorSource("leaking").add("orders", allocator);
      DiagnosticsDump dump = new DiagnosticsDump(Path.of(arguments[0]), source);
      Runnable end = source.dumpOnOutOfMemory(dump);
      takeAll(allocator);
      while (dump.written() + dump.failures() == 0) {
        Thread.onSpinWait();
      }
      takeAll(allocator);
      end.run();
      takeAll(allocator);
      System.out.println(dump.written() + " written, " + dump.skipped() + " skipped");
      System.exit(dump.written() == 1 && dump.skipped() == 1 ? 0 : 1);
    }

    private static void takeAll(PooledByteBufAllocator allocator) {
      try {
        while (true) {
          TAKEN.add(allocator.directBuffer(1 << 20));
        }
      } catch (OutOfMemoryError expected) {
        System.out.println(expected.getMessage());
      }
    }
  }
}

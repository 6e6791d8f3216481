/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is small on disk does not become large in memory. */
class HeapLimitTest {
  private static final long MAX_BYTES = 12 << 20;

  /** A margin, because other threads of the JVM allocate, too. */
  private static final long NOISE_BYTES = 64 << 10;

  @TempDir private Path directory;

  @Test
  @Tag("full")
  void acceptedFilesTakeLessThan12MiB() throws Exception {
    Map<String, byte[]> files = WorstFiles.accepted(Fixtures.everything().host());
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertTakesLittle(file.getKey(), file.getValue());
    }
  }

  private void assertTakesLittle(String name, byte[] bytes) throws Exception {
    StatsFileReader reader = new StatsFileReader();
    Path path = Files.write(directory.resolve("worst.cistern"), bytes);
    assertThat(reader.readSites(path).report()).as(name).isNotNull(); // creates its buffers
    long[] sites = heldAndReckoned(() -> reader.readSites(path));
    long[] whole = heldAndReckoned(() -> reader.read(path));
    System.out.printf(
        Locale.ROOT,
        "%s: %,d bytes of file; held %,d, reckoned %,d; with frames %,d, %,d%n",
        name,
        bytes.length,
        sites[0],
        sites[1],
        whole[0],
        whole[1]);
    assertThat(sites[0]).as(name).isLessThan(MAX_BYTES);
    assertThat(whole[0]).as(name).isLessThan(MAX_BYTES);
    assertThat(sites[1] + NOISE_BYTES).as(name).isGreaterThan(sites[0] / 2);
  }

  private static long[] heldAndReckoned(Callable<StatsFile> read) throws Exception {
    long before = usedBytes();
    StatsFile held = read.call();
    return new long[] {usedBytesWith(held) - before, held.heapBytes()};
  }

  private static long usedBytesWith(StatsFile held) {
    try {
      return usedBytes();
    } finally {
      Reference.reachabilityFence(held);
    }
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Test
  void filesThatWouldTakeMoreAreRefused() {
    Map<String, byte[]> files = WorstFiles.refused(Fixtures.everything().host());
    files.forEach(
        (name, bytes) ->
            assertThatThrownBy(() -> new StatsFileReader().read(bytes))
                .as(name)
                .isInstanceOf(StatsFileException.class));
  }

  /** The reader accepts the output of a writer, even if the largest slot is full of rows. */
  @Test
  void theOutputOfWritersIsAccepted() throws IOException {
    HostReport huge = Fixtures.huge();
    for (int copies : new int[] {1, 3, 20}) {
      List<PoolReport> all = new ArrayList<>();
      for (int i = 0; i < copies; i++) {
        all.add(named("copy" + i, huge.copies().get(0)));
      }
      byte[] file = Images.of(directory, new HostReport(huge.host(), huge.timeMillis(), 0, all));
      StatsFile read = new StatsFileReader().read(file);
      System.out.printf(
          Locale.ROOT, "%d full stores: reckoned %,d bytes%n", copies, read.heapBytes());
      assertThat(read.heapBytes()).isLessThan(12L << 20);
      assertThat(read.report()).isNotNull();
    }
  }

  private static PoolReport named(String name, PoolReport copy) {
    return new PoolReport(
        name,
        copy.version(),
        copy.mode(),
        copy.reason(),
        copy.pools(),
        copy.served(),
        copy.fellBack(),
        copy.failures(),
        copy.leaks(),
        copy.live(),
        copy.netty(),
        ModeChange.UNKNOWN,
        List.of());
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.HostReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of other versions: what is not known is skipped, what is not there has a default. */
class StatsFileVersionTest {
  private static final Path COMMITTED =
      Path.of("src/test/resources/dev/cistern/exporter/statsfile/version1.cistern");

  private final StatsFileReader reader = new StatsFileReader();
  @TempDir private Path directory;

  private static byte[] committed() throws IOException {
    if ("write".equals(System.getProperty("cistern.golden"))) {
      Files.write(COMMITTED, FirstVersion.file(Fixtures.everything()));
    }
    try (InputStream in = Files.newInputStream(COMMITTED)) {
      return in.readAllBytes();
    }
  }

  @Test
  void aFileOfVersion1IsRead() throws IOException {
    HostReport written = Fixtures.everything();
    StatsFile file = reader.read(committed());
    assertThat(file.header().formatVersion()).isEqualTo(1);
    assertThat(file.identity()).isEqualTo(written.host());
    assertThat(file.isTorn()).isFalse();
    HostReport read = Objects.requireNonNull(file.report());
    assertThat(read.timeMillis()).isEqualTo(written.timeMillis());
    assertThat(read.failures()).isEqualTo(written.failures());
    assertThat(read.copies()).hasSameSizeAs(written.copies());
    for (int i = 0; i < read.copies().size(); i++) {
      assertCopy(read.copies().get(i), written.copies().get(i));
    }
    assertThat(Fixtures.metrics(read))
        .contains("cistern_up 1.0", "cistern_reserved_bytes")
        .doesNotContain("cistern_resident_bytes", "cistern_memory_way");
  }

  private static void assertCopy(CopyReport read, CopyReport written) {
    assertThat(read.pool()).isEqualTo(written.pool());
    assertThat(read.mode()).isEqualTo(written.mode());
    assertThat(read.reason()).isEmpty();
    assertThat(read.served()).isEqualTo(written.served());
    assertThat(read.fellBack()).isZero();
    assertThat(read.live()).isEqualTo(LiveReport.EMPTY);
    assertThat(read.leaks().entries()).isEmpty();
    assertThat(read.netty().allocators()).isEmpty();
    assertThat(read.pools()).hasSameSizeAs(written.pools());
    for (int i = 0; i < read.pools().size(); i++) {
      PoolSnapshot pool = read.pools().get(i);
      assertThat(pool.memory()).isEqualTo(written.pools().get(i).memory());
      assertThat(pool.reservedBytes()).isEqualTo(written.pools().get(i).reservedBytes());
      assertThat(pool.pinnedBytes()).isEqualTo(written.pools().get(i).pinnedBytes());
      assertThat(pool.usedBytes()).isZero();
      assertThat(pool.residentBytes()).isEqualTo(PoolFigure.UNKNOWN);
      assertThat(pool.get(PoolFigure.MEMORY_WAY)).isEqualTo(PoolFigure.UNKNOWN);
      assertThat(pool.arenas()).isZero();
    }
  }

  /** As a later version may have: a table, columns and a type that nobody knows here. */
  @Test
  void whatIsNotKnownIsSkipped() throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("mood", 5).number("time_millis", 7).text("name", "x").number("failures", 8);
    TableWriter copies = new TableWriter("copies", strings);
    copies.row().decimal("colour", 0.5).text("pool", "a").number("served", 9);
    copies.row().decimal("colour", 0.5).text("pool", "b").number("served", 10);
    TableWriter future = new TableWriter("future", strings);
    future.row().number("known", 1).number("unknown", 2);
    byte[] file = HostileFileTest.withContent(strings, report, copies, future);
    int end = Images.contentAt(file, 0) + (int) Layout.get(file, Images.slotAt(file, 0) + 16);
    int typeAt = end - 3 * Layout.WORD;
    assertThat(Layout.get(file, typeAt)).isEqualTo(Layout.TYPE_NUMBER);
    Images.put(file, typeAt, 99);
    Images.seal(file);
    HostReport read = Objects.requireNonNull(reader.read(file).report());
    assertThat(read.timeMillis()).isEqualTo(7);
    assertThat(read.failures()).isEqualTo(8);
    assertThat(read.copies()).extracting(CopyReport::pool).containsExactly("a", "b");
    assertThat(read.copies()).extracting(CopyReport::served).containsExactly(9L, 10L);
  }

  @Test
  void aWayOfAllocationThatALaterVersionHasIsLeftOut() throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 7).number("failures", 8);
    TableWriter copies = new TableWriter("copies", strings);
    copies.row().text("pool", "a").text("mode", "swap");
    TableWriter pools = new TableWriter("pools", strings);
    pools
        .row()
        .number("copy", 0)
        .text("memory", "direct")
        .number("RESIDENT_BYTES", 5)
        .number("MEMORY_WAY", 99);
    byte[] file = HostileFileTest.withContent(strings, report, copies, pools);
    HostReport read = Objects.requireNonNull(reader.read(file).report());
    PoolSnapshot pool = read.copies().get(0).pools().get(0);
    assertThat(pool.residentBytes()).isEqualTo(5);
    assertThat(pool.get(PoolFigure.MEMORY_WAY)).isEqualTo(99);
    assertThat(pool.memoryWay()).isNull();
    assertThat(Fixtures.metrics(read))
        .contains("cistern_resident_bytes")
        .doesNotContain("cistern_memory_way");
  }

  @Test
  void aKnownColumnOfAnotherTypeIsRefused() {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().text("time_millis", "noon").number("failures", 0);
    byte[] file = HostileFileTest.withContent(strings, report);
    assertThatThrownBy(() -> reader.read(file))
        .isInstanceOf(StatsFileException.class)
        .hasMessage("report: the type of time_millis is 3");
  }

  @Test
  void aCopyForKeepingTellsTheSame() throws IOException {
    HostReport report = Fixtures.everything();
    Path kept = directory.resolve("kept.cistern");
    Path file = Files.write(directory.resolve("file"), Images.of(directory, report, report));
    reader.copy(file, kept, 12_345);
    StatsFile original = reader.read(file);
    StatsFile copy = reader.read(kept);
    assertThat(Files.size(kept)).isLessThan(Files.size(file) / 8);
    assertThat(copy.report()).usingRecursiveComparison().isEqualTo(report);
    assertThat(copy.heartbeatMillis()).isEqualTo(original.heartbeatMillis());
    assertThat(copy.exitedCleanly()).isEqualTo(original.exitedCleanly());
    assertThat(copy.header().isCopy()).isTrue();
    assertThat(copy.header().isLocked()).isFalse();
    assertThat(copy.header().diedMillis()).isEqualTo(12_345);
    assertThat(copy.isTorn()).isFalse();
  }

  @Test
  void aCopyOfATornFileSaysSoAndOneWithoutAReportCanBeKeptToo() throws IOException {
    HostReport report = Fixtures.everything();
    byte[] file = Images.of(directory, report, report);
    Images.put(file, Images.slotAt(file, 0), 7);
    Path torn = Files.write(directory.resolve("torn"), file);
    Path kept = directory.resolve("kept");
    reader.copy(torn, kept, 1);
    assertThat(reader.read(kept).isTorn()).isTrue();
    assertThat(reader.read(kept).report()).isNotNull();
    reader.copy(Files.write(directory.resolve("v1"), committed()), kept, 1);
    assertThat(reader.read(kept).report()).isNotNull();
    Images.put(file, Images.slotAt(file, 0), 0);
    Images.put(file, Images.slotAt(file, 1), 0);
    reader.copy(Files.write(torn, file), kept, 1);
    assertThat(reader.read(kept).report()).isNull();
    assertThat(reader.read(kept).identity()).isEqualTo(report.host());
  }
}

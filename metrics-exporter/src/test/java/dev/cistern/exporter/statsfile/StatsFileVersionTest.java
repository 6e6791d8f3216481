/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of other versions: the reader skips unknown parts, and missing parts have a default. */
class StatsFileVersionTest {
  private final StatsFileReader reader = new StatsFileReader();
  @TempDir private Path directory;

  /** Reads a file of another version. */
  private static HostView read(long version, RawReport report) throws IOException {
    byte[] file = report.file();
    Images.put(file, Layout.VERSION_AT, version);
    StatsFile read = new StatsFileReader().read(file);
    assertThat(read.header().formatVersion()).isEqualTo(version);
    return Objects.requireNonNull(read.report());
  }

  /** An older writer has fewer values: they and their series are absent. */
  @Test
  void aFileOfTheVersionBeforeIsRead() throws IOException {
    byte[] pool =
        RawReport.message(
            out -> {
              out.writeString(RawReport.LABEL, "direct");
              out.writeSInt64(1, 4_096);
            });
    byte[] copy =
        RawReport.message(
            out -> {
              out.writeString(RawReport.LABEL, "io.netty");
              out.writeByteArray(RawReport.POOL, pool);
            });
    HostIdentity host = Fixtures.everything().host();
    HostView read =
        read(
            Layout.VERSION - 1,
            new RawReport(host).row(out -> out.writeByteArray(RawReport.COPY, copy)));
    assertThat(read.id()).isEqualTo(host.id());
    assertThat(read.application()).isEqualTo(host.application());
    assertThat(read.copies()).extracting(CopyView::pool).containsExactly("io.netty");
    Row direct = Objects.requireNonNull(read.copies().get(0).pool("direct"));
    assertThat(direct.get(PoolFigures.RESERVED_BYTES)).isEqualTo(4_096);
    assertThat(direct.get(PoolFigures.PINNED_BYTES)).isEqualTo(Figure.ABSENT);
    assertThat(Fixtures.metrics(read))
        .contains("cistern_up 1.0", "cistern_reserved_bytes{")
        .doesNotContain("cistern_pinned_bytes", "cistern_memory_way");
  }

  /** A newer writer has fields, messages and types that this reader does not know. */
  @Test
  void aFileOfTheVersionAfterIsRead() throws IOException {
    byte[] copy =
        RawReport.message(
            out -> {
              out.writeString(RawReport.LABEL, "io.netty");
              out.writeSInt64(1, 9);
              out.writeSInt64(898, 77);
              out.writeDouble(897, 0.5);
              out.writeString(999, "colour");
              out.writeString(1_050, "another label");
              out.writeByteArray(1_199, new byte[] {8, 1});
              out.writeFixed32(896, 7);
            });
    RawReport report = new RawReport(Fixtures.everything().host());
    report.row(out -> out.writeByteArray(RawReport.COPY, copy));
    report.part(99, out -> out.writeInt64(1, 5));
    report.stack("a.B.c:1", 2);
    report.leak(
        "heap",
        out -> {
          out.writeInt64(2, 3);
          out.writeInt64(200, 4);
          out.writeString(201, "unknown");
        });
    HostView read = read(Layout.VERSION + 1, report);
    assertThat(read.copies()).hasSize(1);
    assertThat(read.copies().get(0).row().get(CopyFigures.SERVED)).isEqualTo(9);
    assertThat(read.copies().get(0).leaks().entries().get(0).found()).isEqualTo(3);
  }

  @Test
  void aCopyForKeepingHasTheSameReport() throws IOException {
    HostReport report = Fixtures.everything();
    Path kept = directory.resolve("kept.cistern");
    Path file = Files.write(directory.resolve("file"), Images.of(directory, report, report));
    reader.copy(file, kept, 12_345);
    StatsFile original = reader.read(file);
    StatsFile copy = reader.read(kept);
    assertThat(Files.size(kept)).isLessThan(Files.size(file) / 8 + HistoryRing.BYTES);
    assertThat(copy.report()).isEqualTo(original.report());
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
    Images.put(file, Images.slotAt(file, 0), 0);
    Images.put(file, Images.slotAt(file, 1), 0);
    reader.copy(Files.write(torn, file), kept, 1);
    assertThat(reader.read(kept).report()).isNull();
    assertThat(reader.read(kept).identity()).isEqualTo(report.host());
  }
}

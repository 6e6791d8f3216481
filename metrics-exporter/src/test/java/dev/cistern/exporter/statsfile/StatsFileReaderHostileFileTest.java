/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.WireFormat;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile and truncated files: the reader refuses each with a reason. */
class StatsFileReaderHostileFileTest {
  private static final HostReport REPORT = Fixtures.everything();

  private final StatsFileReader reader = new StatsFileReader();
  @TempDir private Path directory;
  private byte[] file;

  @BeforeEach
  void make() throws IOException {
    file = Images.tight(Images.of(directory, REPORT, REPORT));
  }

  private void assertRefused(byte[] bytes, String why) throws IOException {
    assertThatThrownBy(() -> reader.read(bytes))
        .isInstanceOf(StatsFileException.class)
        .hasMessageContaining(why);
    Path path = Files.write(directory.resolve("hostile.cistern"), bytes);
    assertThatThrownBy(() -> reader.read(path))
        .isInstanceOf(StatsFileException.class)
        .hasMessageContaining(why);
  }

  private void assertPathRefused(Path path, String why) {
    assertThatThrownBy(() -> reader.read(path))
        .isInstanceOf(StatsFileException.class)
        .hasMessageContaining(why);
    assertThatThrownBy(() -> reader.readHeader(path)).isInstanceOf(StatsFileException.class);
  }

  @Test
  void aFileThatIsCutOff() throws IOException {
    for (int bytes = 0; bytes < file.length; bytes += 40) {
      byte[] cut = Arrays.copyOf(file, bytes);
      assertThatThrownBy(() -> reader.read(cut)).isInstanceOf(StatsFileException.class);
    }
    assertRefused(new byte[0], "too short");
    assertRefused(Arrays.copyOf(file, file.length - 8), "another length");
    assertRefused(Images.resized(file, file.length - 8), "a slot is outside the file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; 1; no stats file",
        "0; 0x434953544552_4e0a; byte order",
        "8; 2; format versions 3, 4 and 5",
        "8; 6; format versions 3, 4 and 5",
        "16; 0; length of the header",
        "16; 0x7fffffffffffffff; length of the header",
        "24; 0; another length",
        "4088; 0; not ready",
        "96; 0; slot is outside",
        "96; -8; slot is outside",
        "96; 0x7ffffffffffffff8; slot is outside",
        "96; 4097; slot is outside",
        "104; 0x7fffffffffffffff; slot is outside",
        "104; -1; slot is outside",
        "112; 4096; slots overlap",
        "128; 505; name in the header",
        "128; -1; name in the header"
      })
  void aHeaderThatIsWrong(int at, String value, String why) throws IOException {
    Images.put(file, at, Long.decode(value.replace("_", "")));
    assertRefused(file, why);
  }

  private static RawReport report() {
    return new RawReport(REPORT.host()).copies(1).stack("a.B.c:1", 0);
  }

  @Test
  void lengthsThatOverflow() throws IOException {
    for (long length : new long[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1L << 40, 1 << 20}) {
      for (int field : List.of(ReportEncoder.HOST, ReportEncoder.STACK, ReportEncoder.LEAK)) {
        byte[] content =
            RawReport.message(
                out -> {
                  out.writeRawBytes(report().content());
                  out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
                  out.writeUInt64NoTag(length);
                });
        assertRefused(RawReport.file(REPORT.host(), content), "cannot be decoded");
      }
    }
  }

  @Test
  void referencesToNothing() throws IOException {
    assertRefused(report().leak("heap", out -> out.writeUInt32(1, 1)).file(), "copy: 1");
    assertRefused(report().leak("heap", out -> out.writeUInt32(8, 99)).file(), "string: 99");
    assertRefused(report().leak("heap", out -> out.writeUInt32(14, 1)).file(), "stack: 1");
    assertRefused(
        report().part(ReportEncoder.ACCESS, out -> out.writeUInt32(1, 0)).file(), "leak: 0");
    assertRefused(
        report().part(ReportEncoder.STACK, out -> out.writeUInt32(1, 7)).file(), "string: 7");
    assertRefused(RawReport.file(REPORT.host(), new byte[0]), "there is no process");
  }

  @Test
  void stacksThatAreCheapToWriteAndExpensiveToRead() throws IOException {
    RawReport report = report();
    for (int i = 0; i < 100_000; i++) {
      report.stack("a.B.c:1", 0);
    }
    assertRefused(report.file(), "heap of the report");
  }

  @Test
  void reportsThatNoWriterWritesAreRefused() throws IOException {
    assertRefused(new RawReport(REPORT.host()).copies(65).file(), "hosts.copies: more than 64");
    byte[] pool = RawReport.message(out -> out.writeString(RawReport.LABEL, "heap"));
    byte[] copy =
        RawReport.message(
            out -> {
              for (int i = 0; i < 3; i++) {
                out.writeByteArray(RawReport.POOL, pool);
              }
            });
    assertRefused(
        new RawReport(REPORT.host()).row(out -> out.writeByteArray(RawReport.COPY, copy)).file(),
        "hosts.copies.pools: more than 2");
    assertRefused(report().leak("heap", out -> out.writeInt64(2, -1)).file(), "-1 (expected: 0");
    assertRefused(report().leak("other", out -> {}).file(), "memory: 'other'");
  }

  @Test
  void timesBefore1970WouldCostAllHostsTheirScrape() throws IOException {
    for (int field : List.of(5, 6, 12)) {
      byte[] made = report().leak("direct", out -> out.writeInt64(field, -1_500)).file();
      assertRefused(made, "field " + field + " of a leak: -1500");
    }
  }

  /** Two series with one name would make the scrape of all processes fail. */
  @Test
  void twoOfTheSameAreShownOnce() throws IOException {
    byte[] twice =
        RawReport.message(
            out -> {
              out.writeString(RawReport.LABEL, "pool0");
              for (int i = 0; i < 2; i++) {
                int reserved = i;
                out.writeByteArray(
                    RawReport.POOL,
                    RawReport.message(
                        pool -> {
                          pool.writeString(RawReport.LABEL, "heap");
                          pool.writeSInt64(1, reserved);
                          pool.writeByteArray(901, new byte[23]); // a histogram of zeros
                        }));
              }
            });
    byte[] made = report().row(out -> out.writeByteArray(RawReport.COPY, twice)).file();
    String metrics = Fixtures.metrics(Objects.requireNonNull(reader.read(made).report()));
    assertThat(metrics.lines().filter(line -> line.startsWith("cistern_reserved_bytes{")))
        .hasSize(1);
    assertThat(metrics.lines())
        .filteredOn(line -> line.startsWith("cistern_requested_size_bytes_count{"))
        .hasSize(1);
  }

  @Test
  void aLabelWithoutEndIsCut() throws IOException {
    String name = "x".repeat(100_000);
    byte[] copy = RawReport.message(out -> out.writeString(RawReport.LABEL, name));
    byte[] made = report().row(out -> out.writeByteArray(RawReport.COPY, copy)).file();
    HostView read = Objects.requireNonNull(reader.read(made).report());
    assertThat(read.copies().get(1).pool()).isEqualTo(name.substring(0, 512));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999, 1_795_176_061_000L, Long.MAX_VALUE})
  void exemplarsAreNumbers(long number) throws IOException {
    byte[] made =
        report()
            .leak(
                "direct",
                out -> {
                  out.writeInt64(2, 1);
                  out.writeInt64(6, number);
                  out.writeInt64(9, number);
                })
            .file();
    assertThat(Exemplars.check(Objects.requireNonNull(reader.read(made).report())))
        .isEqualTo(number == 0 ? 0 : 1);
  }

  /** The reader does not retry as often as for a file that a process is writing. */
  @Test
  void aDamagedFrameIsReadOnce() throws IOException {
    file[Images.contentAt(file, 0) + 100]++;
    file[Images.contentAt(file, 1) + 100]++;
    AtomicLong bytes = new AtomicLong();
    Source counting =
        new Source() {
          @Override
          public long size() {
            return file.length;
          }

          @Override
          public void read(long at, byte[] into, int length) throws IOException {
            bytes.addAndGet(length);
            Source.of(file).read(at, into, length);
          }
        };
    HeaderReader header = new HeaderReader();
    assertThat(header.read(counting)).isNotNull();
    assertThatThrownBy(() -> new FrameReader().read(counting, header))
        .hasMessageContaining("no frame is whole");
    assertThat(bytes.get()).isLessThan(file.length + 2L * Layout.HEADER_BYTES);
  }

  @Test
  void aDeathInsideAFrameLeavesTheOther() throws IOException {
    HostReport newer = new HostReport(REPORT.host(), REPORT.timeMillis() + 1, 9, REPORT.copies());
    byte[] image = Images.tight(Images.of(directory, REPORT, newer));
    assertThat(time(image)).isEqualTo(newer.timeMillis());
    assertThat(reader.read(image).isTorn()).isFalse();
    int newest = Images.newest(image);
    Images.put(image, Images.slotAt(image, newest), Images.sequence(image, newest) - 1);
    assertThat(time(image)).isEqualTo(REPORT.timeMillis());
    assertThat(reader.read(image).isTorn()).isTrue();
  }

  @Test
  void aDamagedFrameLeavesTheOther() throws IOException {
    int newest = Images.newest(file);
    file[Images.contentAt(file, newest) + 100]++;
    assertThat(reader.read(file).isTorn()).isTrue();
    assertThat(reader.read(file).report()).isNotNull();
    file[Images.contentAt(file, 1 - newest) + 100]++;
    assertRefused(file, "no frame is whole");
  }

  private long time(byte[] image) throws IOException {
    return Objects.requireNonNull(reader.read(image).report()).timeMillis();
  }

  @Test
  void aSymbolicLink() throws IOException {
    Path target = Files.write(directory.resolve("target"), file);
    assertPathRefused(
        Files.createSymbolicLink(directory.resolve("link.cistern"), target), "symbolic link");
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void aPipe() throws Exception {
    Path pipe = directory.resolve("pipe.cistern");
    try {
      assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    } catch (IOException noSuchCommand) {
      assumeTrue(false, "no mkfifo");
    }
    assertPathRefused(pipe, "pipe");
    assertThatThrownBy(() -> StatsFileReader.isLocked(pipe)).isInstanceOf(StatsFileException.class);
  }

  @Test
  void aDirectoryOrADevice() {
    assertPathRefused(directory, "directory");
    assumeTrue(Files.exists(Path.of("/dev/zero")));
    assertPathRefused(Path.of("/dev/zero"), "device");
  }

  @ParameterizedTest
  @ValueSource(longs = {Layout.MAX_FILE_BYTES + 1L, 10L << 30})
  void aFileThatIsTooLarge(long bytes) throws IOException {
    Path path = Files.write(directory.resolve("large.cistern"), file);
    try (RandomAccessFile large = new RandomAccessFile(path.toFile(), "rw")) {
      large.setLength(bytes);
    }
    assertPathRefused(path, "too long");
  }
}

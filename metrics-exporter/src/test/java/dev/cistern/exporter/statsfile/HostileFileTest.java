/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.HostReport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that somebody made who means no good, or that were cut off: each has a name. */
class HostileFileTest {
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
  @CsvSource({
    "0, 1, no stats file",
    "0, 0x434953544552_4e0a, byte order",
    "8, 0, format versions 1 and 2",
    "8, 3, format versions 1 and 2",
    "16, 0, length of the header",
    "16, 0x7fffffffffffffff, length of the header",
    "24, 0, another length",
    "4088, 0, not ready",
    "96, 0, slot is outside",
    "96, -8, slot is outside",
    "96, 0x7ffffffffffffff8, slot is outside",
    "96, 4097, slot is outside",
    "104, 0x7fffffffffffffff, slot is outside",
    "104, -1, slot is outside",
    "112, 4096, slots overlap",
    "128, 505, name in the header",
    "128, -1, name in the header"
  })
  void aHeaderThatIsWrong(int at, String value, String why) throws IOException {
    Images.put(file, at, Long.decode(value.replace("_", "")));
    assertRefused(file, why);
  }

  @Test
  void countsThatOverflow() throws IOException {
    int content = Images.contentAt(file, Images.newest(file));
    for (long count : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 61, 1 << 28}) {
      assertContentRefused(content, count, "number of strings");
      assertContentRefused(content + 8, count, "bytes of strings");
      assertContentRefused(content + 16, count, "end of a string");
      int tables = tablesAt(content);
      assertContentRefused(tables, count, "number of tables");
      assertContentRefused(tables + 8, count, "name of a table");
      assertContentRefused(tables + 16, count, "number of columns");
      assertContentRefused(tables + 24, count, "number of rows");
      assertContentRefused(tables + 32, count, "name of a column");
    }
  }

  private int tablesAt(int content) {
    long strings = Layout.get(file, content);
    long bytes = Layout.get(file, content + 8);
    return content + 16 + (int) strings * 8 + Layout.aligned((int) bytes);
  }

  private void assertContentRefused(int at, long value, String why) throws IOException {
    byte[] changed = file.clone();
    Images.put(changed, at, value);
    Images.seal(changed);
    assertRefused(changed, why);
  }

  @Test
  void aStackWithoutEnd() throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter table = new TableWriter("frames", strings);
    table.row().text("text", "a").number("caller", 1);
    assertRefused(withContent(strings, report, table), "caller: 1 (expected: 0 to 0)");
  }

  @Test
  void stacksThatAreCheapToWriteAndDearToRead() throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter frames = new TableWriter("frames", strings);
    for (int i = 0; i < 128; i++) {
      frames.row().text("text", "a").number("caller", i);
    }
    TableWriter stacks = new TableWriter("stacks", strings);
    for (int i = 0; i < 1_000; i++) {
      stacks.row().number("frame", 128).number("folded", 0);
    }
    assertRefused(withContent(strings, report, frames, stacks), "too many frames");
  }

  @Test
  void rowsOfNobody() throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter pools = new TableWriter("pools", strings);
    pools.row().number("copy", 5).text("memory", "direct");
    assertRefused(withContent(strings, report, pools), "pools: there is no copy 5");
  }

  /** Each would make two series of one name, or more of them than anybody can bear. */
  @ParameterizedTest
  @CsvSource({
    "netty_allocators, two allocators of one number",
    "size_classes, two size classes of 64 bytes",
    "pools, two pools of one memory",
    "copies, two copies of one name",
  })
  void twoOfTheSame(String twice, String why) throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter copies = new TableWriter("copies", strings);
    TableWriter pools = new TableWriter("pools", strings);
    TableWriter classes = new TableWriter("size_classes", strings);
    TableWriter allocators = new TableWriter("netty_allocators", strings);
    for (int i = 0; i < times(twice, "copies"); i++) {
      copies.row().text("pool", "a").number("served", i);
    }
    for (int i = 0; i < times(twice, "pools"); i++) {
      pools.row().number("copy", 0).text("memory", "heap");
    }
    for (int i = 0; i < times(twice, "size_classes"); i++) {
      classes.row().number("pool", 0).number("bytes", 64);
    }
    for (int i = 0; i < times(twice, "netty_allocators"); i++) {
      allocators.row().number("copy", 0).number("number", 3).text("memory", "heap");
    }
    assertRefused(withContent(strings, report, copies, pools, classes, allocators), why);
  }

  private static int times(String twice, String table) {
    return twice.equals(table) ? 2 : 1;
  }

  @Test
  void whatNoWriterWrites() throws IOException {
    assertTableRefused("copies: 65 (expected: 64 at most)", 65, "none", rows -> {});
    assertTableRefused(
        "leaks: found: -1 (expected: 0 or more)",
        1,
        "leaks",
        rows -> rows.row().number("copy", 0).text("memory", "direct").number("found", -1));
    assertTableRefused(
        "live_stacks: a memory that is unknown",
        1,
        "live_stacks",
        rows -> rows.row().number("copy", 0).text("memory", "other"));
    assertTableRefused(
        "allocators of a copy: 129",
        1,
        "netty_allocators",
        rows -> {
          for (int i = 0; i < 129; i++) {
            rows.row().number("copy", 0).text("memory", "heap").number("number", i);
          }
        });
  }

  @Test
  void timesBefore1970WouldCostAllHostsTheirScrape() throws IOException {
    for (String column : List.of("first_seen_millis", "last_seen_millis", "allocated_millis")) {
      assertTableRefused(
          "leaks: " + column + ": -1500 (expected: 0 or more)",
          1,
          "leaks",
          rows -> rows.row().number("copy", 0).text("memory", "direct").number(column, -1_500));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999, 1_795_176_061_000L, Long.MAX_VALUE})
  void exemplarsAreNumbers(long number) throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter copies = new TableWriter("copies", strings);
    copies.row().text("pool", "a").text("leak_level", "simple");
    TableWriter leaks = new TableWriter("leaks", strings);
    leaks
        .row()
        .number("found", 1)
        .text("memory", "direct")
        .number("last_seen_millis", number)
        .number("requested_bytes", -number);
    byte[] made = withContent(strings, report, copies, leaks);
    assertThat(Exemplars.check(Objects.requireNonNull(reader.read(made).report())))
        .isEqualTo(number == 0 ? 0 : 1);
  }

  /** Once, and not as often as it would be looked at while somebody writes. */
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
  void aLabelWithoutEnd() throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter copies = new TableWriter("copies", strings);
    copies.row().text("pool", "x".repeat(513)).number("served", 1);
    assertRefused(
        withContent(strings, report, copies), "characters of pool: 513 (expected: 512 at most)");
  }

  private void assertTableRefused(
      String why, int copyCount, String other, Consumer<TableWriter> rows) throws IOException {
    StringTable strings = new StringTable();
    TableWriter report = new TableWriter("report", strings);
    report.row().number("time_millis", 1).number("failures", 0);
    TableWriter copies = new TableWriter("copies", strings);
    for (int i = 0; i < copyCount; i++) {
      copies.row().text("pool", "pool" + i).number("served", i);
    }
    TableWriter table = new TableWriter(other, strings);
    rows.accept(table);
    assertRefused(
        table.rows() > 0
            ? withContent(strings, report, copies, table)
            : withContent(strings, report, copies),
        why);
  }

  /** The file with a frame of these tables. */
  static byte[] withContent(StringTable strings, TableWriter... tables) {
    for (TableWriter table : tables) {
      table.nameColumns();
    }
    byte[] content = new byte[1 << 20];
    int at = strings.writeTo(content, 0);
    Layout.put(content, at, tables.length);
    at += Layout.WORD;
    for (TableWriter table : tables) {
      at = table.writeTo(content, at);
    }
    int slotBytes = Layout.FRAME_HEADER_BYTES + at;
    byte[] header = HeaderWriter.header(REPORT.host(), Layout.HEADER_BYTES + 2 * slotBytes, 1_000);
    byte[] made = Arrays.copyOf(header, Layout.HEADER_BYTES + 2 * slotBytes);
    Images.put(made, Layout.readyAt(Layout.HEADER_BYTES), Layout.READY);
    Images.put(made, Layout.HEADER_BYTES + Layout.SEQUENCE_AT, 2);
    Images.put(made, Layout.HEADER_BYTES + Layout.LENGTH_AT, at);
    System.arraycopy(content, 0, made, Layout.HEADER_BYTES + Layout.FRAME_HEADER_BYTES, at);
    Images.seal(made);
    return made;
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

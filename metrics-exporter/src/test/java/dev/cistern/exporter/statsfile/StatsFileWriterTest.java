/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.Holders;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.NettyReport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatsFileWriterTest {
  private static final HostReport SMALL_REPORT = Fixtures.everything();
  private static final HostReport HUGE_REPORT = Fixtures.huge();
  private static final HostView SMALL = Fixtures.inFile(SMALL_REPORT);
  private static final HostView HUGE = HostView.of(HUGE_REPORT);
  private static final HostIdentity HOST = SMALL_REPORT.host();

  private final StatsFileReader reader = new StatsFileReader();
  @TempDir private Path directory;

  private StatsFileWriter create(int maxBytes) throws IOException {
    return StatsFileWriter.create(directory, HOST, maxBytes, 1_000);
  }

  /**
   * Reads the file. The reader does not open files of this process, because that would end the
   * lock.
   */
  private StatsFile read(StatsFileWriter writer) throws IOException {
    return reader.read(writer.path());
  }

  private HostView report(StatsFileWriter writer) throws IOException {
    return Objects.requireNonNull(read(writer).report());
  }

  private static List<PoolReport> copies(PoolReport like, int count) {
    return IntStream.range(0, count).mapToObj(i -> named("pool" + i, like)).toList();
  }

  private static PoolReport named(String pool, PoolReport like) {
    return new PoolReport(
        pool,
        like.version(),
        like.mode(),
        like.reason(),
        like.pools(),
        1,
        2,
        3,
        like.leaks(),
        like.live(),
        NettyReport.NONE,
        ModeChange.UNKNOWN,
        List.of());
  }

  @Test
  void aFileGrowsByBeingReplaced() throws IOException {
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(SMALL);
      assertThat(writer.fileBytes()).isEqualTo(512 << 10);
      writer.write(HUGE);
      assertThat(writer.fileBytes()).isGreaterThan(512 << 10).isEqualTo(Files.size(writer.path()));
      assertThat(writer.rowsDropped()).isZero();
      assertThat(report(writer)).isEqualTo(HUGE);
      writer.write(SMALL);
      assertThat(report(writer)).isEqualTo(SMALL);
      assertThat(writer.growthFailures()).isZero();
      assertThat(directory.toFile().list()).containsExactly(HOST.id() + ".cistern");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {512 << 10, 1 << 20})
  void rowsThatDoNotFitAreLeftOutAndCounted(int maxBytes) throws IOException {
    try (StatsFileWriter writer = create(maxBytes)) {
      writer.write(HUGE);
      HostView read = report(writer);
      assertThat(Files.size(writer.path())).isLessThanOrEqualTo(maxBytes);
      assertThat(writer.rowsDropped()).isGreaterThan(8_192);
      CopyView copy = read.copies().get(0);
      CopyView whole = HUGE.copies().get(0);
      assertThat(read.row()).isEqualTo(HUGE.row());
      assertThat(copy.leaks().entries())
          .hasSameSizeAs(whole.leaks().entries())
          .allMatch(leak -> leak.latest().accesses().isEmpty())
          .allMatch(leak -> leak.latest().accessesDropped() == 8);
      if (copy.live().stacks().size() == whole.live().stacks().size()) {
        assertThat(copy.live().sites()).isEqualTo(whole.live().sites());
      } else {
        assertThat(copy.live().stacks()).allMatch(stack -> stack.stack().frames().isEmpty());
      }
      writer.write(SMALL);
    }
  }

  @Test
  void theSequenceGrowsWithEachReportAlsoWhenTheFileIsReplaced() throws IOException {
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      assertThat(read(writer).sequence()).isZero();
      long last = 0;
      for (HostView report : List.of(SMALL, SMALL, HUGE, SMALL, HUGE)) {
        writer.write(report);
        StatsFile read = read(writer);
        assertThat(read.sequence()).isGreaterThan(last);
        assertThat(read(writer).sequence()).isEqualTo(read.sequence());
        last = read.sequence();
      }
      assertThat(writer.fileBytes()).isGreaterThan(512 << 10);
    }
  }

  @Test
  void theLargestKeepTheirFrames() throws IOException {
    try (StatsFileWriter writer = create(1 << 20)) {
      writer.write(HUGE);
      CopyView copy = report(writer).copies().get(0);
      double least =
          copy.live().stacks().stream()
              .filter(stack -> !stack.stack().frames().isEmpty())
              .mapToDouble(stack -> stack.live().bytes())
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      assertThat(copy.live().stacks())
          .filteredOn(stack -> stack.stack().frames().isEmpty())
          .allMatch(stack -> stack.live().bytes() <= least);
    }
  }

  @Test
  void aReportThatDoesNotFitAtAllIsRefusedWithTheLimitAndTheSetting() throws IOException {
    List<PoolReport> many =
        copies(HUGE_REPORT.copies().get(0), 60).stream()
            .map(copy -> withTexts(copy, "水".repeat(500)))
            .toList();
    try (StatsFileWriter writer = create(StatsFileWriter.MIN_BYTES)) {
      writer.write(SMALL);
      assertThatThrownBy(() -> writer.write(HostView.of(new HostReport(HOST, 1, 2, many))))
          .isInstanceOf(StatsFileException.class)
          .hasMessageContaining("limit: 153568")
          .hasMessageContaining("statsFileBytes");
      assertThat(report(writer)).isEqualTo(SMALL);
    }
  }

  @Test
  void holdersAndChannelsGiveWayIfTheFiguresHaveLittleRoom() throws IOException {
    PoolReport copy = SMALL_REPORT.copies().get(0);
    HeldSite held =
        new HeldSite(
            "direct", "s".repeat(500), HeldSite.Place.HANDLER, "h".repeat(500), 1, 1, 1, 0, 0);
    LiveDetail detail =
        new LiveDetail(
            List.of(),
            List.of(),
            Collections.nCopies(LiveDetail.MAX_SITES, held),
            List.of(new PinnedSite("direct", "s", "h", 1, 1, 1, 1, true, 0)),
            0,
            0);
    LiveReport live = new LiveReport(0, 0, List.of(), List.of(), 0, detail);
    PoolReport holding = Holders.with(copy, live, Holders.channels());
    List<PoolReport> many =
        Stream.of("a", "b", "c")
            .map(pool -> Holders.with(named(pool, holding), live, Holders.channels()))
            .toList();
    try (StatsFileWriter writer = create(StatsFileWriter.MIN_BYTES)) {
      writer.write(HostView.of(new HostReport(HOST, 1, 2, many.subList(0, 1))));
      assertThat(report(writer).copies().get(0).held()).hasSize(LiveDetail.MAX_SITES);
      writer.write(HostView.of(new HostReport(HOST, 1, 2, many)));
      assertThat(writer.rowsDropped()).isGreaterThan(3 * LiveDetail.MAX_SITES);
      assertThat(report(writer).copies())
          .hasSize(3)
          .allMatch(each -> each.held().isEmpty() && each.pinned().isEmpty())
          .allMatch(each -> each.channels().largest().isEmpty())
          .allMatch(each -> each.channels().shapes().isEmpty())
          .allMatch(each -> each.channels().pendingBytes() == 26 << 20);
    }
  }

  private static PoolReport withTexts(PoolReport copy, String text) {
    return new PoolReport(
        copy.pool() + text,
        text,
        copy.mode(),
        text,
        copy.pools(),
        1,
        2,
        3,
        copy.leaks(),
        copy.live(),
        NettyReport.NONE,
        ModeChange.UNKNOWN,
        List.of());
  }

  @Test
  void theFirstCopiesAreWrittenIfThereAreTooMany() throws IOException {
    List<PoolReport> many = copies(Fixtures.numbered(1).copies().get(0), 70);
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(HostView.of(new HostReport(HOST, 1, 2, many)));
      assertThat(report(writer).copies()).hasSize(64);
    }
  }

  @Test
  void whenTheFileCannotGrowTheReportIsCutToItsSize() throws IOException {
    Path inTheWay = directory.resolve("." + HOST.id() + "." + (2 << 20) + ".tmp");
    Files.createDirectories(inTheWay.resolve("full"));
    Files.createDirectories(directory.resolve("." + HOST.id() + "." + (4 << 20) + ".tmp/full"));
    Files.createDirectories(directory.resolve("." + HOST.id() + "." + (1 << 20) + ".tmp/full"));
    PoolReport huge = HUGE_REPORT.copies().get(0);
    HostReport fewerLeaks =
        new HostReport(
            HOST,
            1,
            2,
            List.of(
                new PoolReport(
                    huge.pool(),
                    huge.version(),
                    huge.mode(),
                    huge.reason(),
                    huge.pools(),
                    1,
                    2,
                    3,
                    SMALL_REPORT.copies().get(0).leaks(),
                    huge.live(),
                    NettyReport.NONE,
                    ModeChange.UNKNOWN,
                    List.of())));
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(HostView.of(fewerLeaks));
      writer.write(HostView.of(fewerLeaks));
      assertThat(writer.growthFailures()).isOne();
      assertThat(writer.fileBytes()).isEqualTo(512 << 10);
      assertThat(writer.rowsDropped()).isPositive();
      assertThat(report(writer).copies()).hasSize(1);
    }
  }

  @Test
  void aRemovedFileIsCreatedAgain() throws IOException {
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(SMALL);
      Files.delete(writer.path());
      writer.heartbeat();
      assertThat(report(writer)).isEqualTo(SMALL);
    }
  }

  @Test
  void aReplacedOrTruncatedFileIsCreatedAgain() throws IOException {
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(SMALL);
      Files.move(
          Files.writeString(directory.resolve("other"), "other"),
          writer.path(),
          StandardCopyOption.REPLACE_EXISTING);
      writer.write(SMALL);
      assertThat(report(writer)).isEqualTo(SMALL);
    }
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(SMALL);
      Files.write(writer.path(), new byte[5]);
      writer.write(SMALL);
      assertThat(report(writer)).isEqualTo(SMALL);
      writer.exiting();
      assertThat(read(writer).exitedCleanly()).isTrue();
      writer.write(HUGE);
      assertThat(writer.fileBytes()).isGreaterThan(512 << 10);
      assertThat(read(writer).exitedCleanly()).isTrue();
    }
  }

  /** The writer neither writes to nor follows an existing entry at the path of its file. */
  @Test
  void aLinkAtThePathOfTheFileIsNotFollowed() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "mine");
    Path link = Files.createSymbolicLink(directory.resolve("link"), victim);
    assertThatThrownBy(() -> MappedFile.openNew(link)).isInstanceOf(IOException.class);
    assertThat(victim).hasContent("mine");
  }

  @Test
  void aPathThatIsNoDirectoryIsRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    assertRefused(file, "file is a file (expected: a directory)");
    assertRefused(link, "link is a symbolic link (expected: a directory)");
    assertRefused(directory.resolve("missing"), "missing is not there (expected: a directory)");
  }

  private static void assertRefused(Path at, String why) {
    assertThatThrownBy(() -> StatsFileWriter.create(at, HOST, StatsFileWriter.MAX_BYTES, 1_000))
        .isInstanceOf(StatsFileException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, (512 << 10) - 1, (4 << 20) + 1})
  void aLimitOutOfItsRangeIsRefused(int maxBytes) {
    assertThatThrownBy(() -> create(maxBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxBytes: " + maxBytes + " (expected: 524288 to 4194304)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../../etc/passwd", "00C0FFEE00C0FFEE", "00c0ffee00c0ffe/"})
  void aMalformedIdIsRefused(String id) {
    HostIdentity host = new HostIdentity(id, "", "", "", 1, "", 2);
    assertThatThrownBy(
            () -> StatsFileWriter.create(directory, host, StatsFileWriter.MIN_BYTES, 1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16 digits");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void onlyACleanEndIsWritten() throws IOException {
    StatsFileWriter died = create(StatsFileWriter.MAX_BYTES);
    died.write(SMALL);
    died.close();
    assertThat(read(died).exitedCleanly()).isFalse();
    StatsFileWriter ended = create(StatsFileWriter.MAX_BYTES);
    ended.write(SMALL);
    ended.exitCleanly();
    assertThat(read(ended).exitedCleanly()).isTrue();
    assertThatThrownBy(() -> ended.write(SMALL)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(ended::heartbeat).isInstanceOf(IllegalStateException.class);
  }

  private static HostView numbered(int number) {
    return HostView.of(new HostReport(HOST, number, number, SMALL_REPORT.copies()));
  }

  /** Every report that is read while the writer works is one that was written. */
  @Test
  void aReaderSeesWholeReportsOnly() throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    List<Throwable> failures = new ArrayList<>();
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      writer.write(numbered(0));
      Thread work =
          new Thread(
              () -> {
                try {
                  for (int i = 1; !isDone.get(); i++) {
                    writer.write(numbered(i));
                  }
                } catch (Throwable failure) {
                  failures.add(failure);
                }
              });
      work.start();
      long last = 0;
      for (int i = 0; i < 4_000; i++) {
        HostView read = report(writer);
        assertThat(read.timeMillis())
            .isEqualTo(read.row().get(HostFigures.AGENT_FAILURES))
            .isGreaterThanOrEqualTo(last);
        last = read.timeMillis();
      }
      isDone.set(true);
      work.join();
      assertThat(failures).isEmpty();
      assertThat(last).as("reports seen").isGreaterThan(100);
    }
  }

  @Test
  void aWriteTakesLittle() throws IOException {
    checkCost(SMALL, 500, 512 << 10);
    checkCost(HUGE, 30, 16 << 20);
  }

  private void checkCost(HostView report, int rounds, long mostBytes) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (StatsFileWriter writer = create(StatsFileWriter.MAX_BYTES)) {
      for (int i = 0; i < rounds; i++) {
        writer.write(report);
      }
      long bytes = threads.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        writer.write(report);
      }
      long writeMicros = (System.nanoTime() - start) / rounds / 1_000;
      long taken = (threads.getCurrentThreadAllocatedBytes() - bytes) / rounds;
      byte[] file = Files.readAllBytes(writer.path());
      for (int i = 0; i < rounds; i++) {
        assertThat(reader.read(file).report()).isNotNull();
      }
      start = System.nanoTime();
      assertThat(reader.read(file).report()).isNotNull();
      System.out.printf(
          Locale.ROOT,
          "%,d bytes of content, file %,d: write %,d us and %,d bytes, read %,d us%n",
          Layout.get(file, Images.slotAt(file, Images.newest(file)) + Layout.LENGTH_AT),
          file.length,
          writeMicros,
          taken,
          (System.nanoTime() - start) / 1_000);
      assertThat(taken).as("bytes taken by a write").isLessThan(mostBytes);
    }
  }
}

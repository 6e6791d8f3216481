/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.HostView.State;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.report.StatsFileReport;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.sidecar.PostMortemStore.Retention;
import dev.cistern.exporter.statsfile.HostLiveness;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.statsfile.WorstFiles;
import dev.cistern.leak.report.LeakReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hostile files of hosts, and the state of other hosts that a sidecar keeps in memory. */
class StatsDirectoryHostileFilesTest {
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);

  @TempDir private Path folder;
  private Path kept;
  private final List<String> log = new ArrayList<>();
  private final List<StatsFileWriter> writers = new ArrayList<>();
  private long nowMillis = System.currentTimeMillis();
  private PostMortemStore store;
  private StatsDirectory directory;

  @BeforeEach
  void open() throws IOException {
    kept = folder.resolve("postmortem");
    reopen();
  }

  private void reopen() throws IOException {
    store =
        new PostMortemStore(kept, new Retention(DAY, 64 << 20, HOUR), log::add, () -> nowMillis);
    store.open();
    directory = new StatsDirectory(folder, store, log::add, () -> nowMillis);
  }

  @AfterEach
  void close() throws IOException {
    for (StatsFileWriter writer : writers) {
      writer.close();
    }
  }

  private StatsFileWriter host(int number, HostReport report) throws IOException {
    StatsFileWriter writer =
        StatsFileWriter.create(
            folder, SidecarReports.host(number), StatsFileWriter.MAX_BYTES, 1_000);
    writers.add(writer);
    writer.write(HostView.of(report));
    return writer;
  }

  private StatsFileWriter host(int number) throws IOException {
    return host(number, SidecarReports.report(SidecarReports.host(number), nowMillis, number));
  }

  /** Advances the clock, so that a host without its lock has been silent for long enough. */
  private void letSilencePass() {
    nowMillis += 2 * HostLiveness.MAX_SILENCE_MILLIS;
  }

  private Path put(HostIdentity host, byte[] file) throws IOException {
    return Files.write(folder.resolve(host.id() + StatsFileWriter.SUFFIX), file);
  }

  /** A page that reads can hang with its file system. It must not hold locks that scrapes need. */
  @Test
  @Timeout(60)
  void pagesReadWithoutTheLocksThatScrapesTake() throws Exception {
    host(1).close();
    host(2);
    directory.all();
    letSilencePass();
    StatsDirectory scraped = directory;
    PostMortemStore scrapedStore = store;
    List<HostView> all = scraped.all();
    assertThat(all).hasSize(2);
    PostMortem postMortem = scrapedStore.all().get(0);
    List<CompletableFuture<Object>> pages = new ArrayList<>();
    synchronized (scraped) {
      pages.add(ask(() -> scraped.fullReport(all.get(0))));
      pages.get(0).get(20, TimeUnit.SECONDS);
      synchronized (scrapedStore) {
        pages.add(ask(() -> scrapedStore.state(postMortem)));
        pages.add(ask(() -> scrapedStore.sites(postMortem)));
        for (CompletableFuture<Object> page : pages) {
          assertThat(page.get(20, TimeUnit.SECONDS)).isNotNull();
        }
      }
    }
  }

  private static CompletableFuture<Object> ask(Callable<Object> page) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(page.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            },
            "page");
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  @Test
  void undecodableFilesAreNotKeptAndNotReadEachTime() throws Exception {
    HostIdentity host = SidecarReports.host(1);
    Map<String, byte[]> refused = WorstFiles.refused(host);
    Path file = put(host, WorstFiles.dead(Objects.requireNonNull(refused.get("leaks"))));
    for (int i = 0; i < 3; i++) {
      assertThat(directory.all()).singleElement().extracting(HostView::state).isEqualTo(State.DIED);
      assertThat(directory.refused().get(file.getFileName().toString()))
          .contains("cannot be kept", "heap of the report");
    }
    assertThat(directory.failures()).isEqualTo(1);
    assertThat(kept).isEmptyDirectory();
    assertThat(store.all()).isEmpty();
    nowMillis += 2 * DAY;
    directory.tick();
    assertThat(directory.all()).as("the sidecar no longer keeps it").isEmpty();
    assertThat(file).doesNotExist();
  }

  @Test
  void countersStayWithoutRoomForMore() {
    HostReport report = SidecarReports.report(SidecarReports.host(1), nowMillis, 5);
    HostReport counting =
        new HostReport(
            report.host(), nowMillis, 3, 0, report.copies(), new StatsFileReport(700, 2, 1, 0));
    HostView bare = EndedHostSummary.bare(HostView.of(counting));
    assertThat(bare.copies()).isEmpty();
    assertThat(bare.row().get(HostFigures.AGENT_FAILURES)).isEqualTo(3);
    assertThat(bare.row().get(HostFigures.STATS_FILE_FAILURES)).isEqualTo(2);
    assertThat(bare.timeMillis()).isEqualTo(nowMillis);
  }

  @Test
  void oldFailedPostMortemsAreRemoved() throws Exception {
    letSilencePass();
    host(1).close();
    directory.tick();
    Path file = kept.resolve(SidecarReports.host(1).id() + StatsFileWriter.SUFFIX);
    Path trying = file.resolveSibling(file.getFileName() + PostMortemStore.TRYING);
    Files.move(file, trying);
    nowMillis += 2 * DAY;
    reopen();
    assertThat(kept).isEmptyDirectory();
    assertThat(store.removed()).isEqualTo(1);
  }

  @Test
  void aPostMortemThatEndedASidecarAtItsStartIsSkippedByTheNext() throws Exception {
    letSilencePass();
    host(1).close();
    host(2).close();
    directory.tick();
    Path file = kept.resolve(SidecarReports.host(1).id() + StatsFileWriter.SUFFIX);
    Path trying = file.resolveSibling(file.getFileName() + PostMortemStore.TRYING);
    Files.move(file, trying);
    log.clear();
    reopen();
    assertThat(trying).exists();
    assertThat(store.failures()).isEqualTo(1);
    assertThat(log).singleElement().asString().contains("left alone", trying.toString());
    assertThat(store.all())
        .singleElement()
        .extracting(each -> each.host().id())
        .isEqualTo("0000000000000002");
    Files.move(trying, file);
    reopen();
    assertThat(store.all()).hasSize(2);
    assertThat(kept).isDirectoryNotContaining("glob:**" + PostMortemStore.TRYING);
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total[{]application=\"shop-1\".*Cart.* 1.0\n")
        .containsPattern("cistern_leaks_total[{]application=\"shop-2\".*Cart.* 2.0\n");
  }

  @Test
  void metricsOfASummaryAreThoseOfTheWhole() {
    for (int sites : new int[] {5, 32, 33, 500}) {
      HostReport report = SidecarReports.manyLeaks(SidecarReports.host(1), sites);
      HostView whole = HostView.of(report).with(State.DIED, nowMillis);
      HostView summary = EndedHostSummary.of(whole);
      assertThat(summary.copies())
          .allMatch(copy -> copy.leaks().entries().size() <= LeakReport.PLACES);
      for (int limit : new int[] {0, 1, 10, 21}) {
        SeriesOptions options = SeriesOptions.DEFAULT.withSites(limit, limit);
        assertThat(SidecarReports.openMetrics(only(summary), options))
            .contains(limit > 0 ? "com.shop.Leak" : "other")
            .isEqualTo(SidecarReports.openMetrics(only(whole), options));
      }
    }
  }

  @Test
  void countersDoNotRunBackwardsWhenAHostDies() {
    HostView[] state = {
      HostView.of(SidecarReports.manyLeaks(SidecarReports.host(1), 500)).with(State.UP, nowMillis)
    };
    CisternCollector collector =
        CisternCollector.ofHosts(() -> List.of(state[0]), SeriesOptions.DEFAULT);
    String before = leaks(SidecarReports.text(collector));
    state[0] = EndedHostSummary.of(state[0].with(State.DIED, nowMillis));
    assertThat(leaks(SidecarReports.text(collector))).isEqualTo(before).contains("Leak");
  }

  private static String leaks(String scrape) {
    return String.join(
        "\n",
        scrape
            .lines()
            .filter(line -> line.startsWith("cistern_leak"))
            .filter(line -> line.contains("site="))
            .toList());
  }

  private static Hosts only(HostView state) {
    return () -> List.of(state);
  }

  @Test
  void summariesAreOfTheLatestOnlyAndAge() throws Exception {
    letSilencePass();
    for (int i = 1; i <= PostMortemStore.MAX_RECENTLY_ENDED + 10; i++) {
      host(i).close();
      nowMillis++;
      directory.tick();
    }
    assertThat(store.recentlyEnded()).hasSize(PostMortemStore.MAX_RECENTLY_ENDED);
    assertThat(store.summaries()).isEqualTo(PostMortemStore.MAX_RECENTLY_ENDED);
    nowMillis += HOUR - 10;
    directory.tick();
    assertThat(store.summaries()).isBetween(1, 11);
    nowMillis += 11;
    directory.tick();
    assertThat(store.summaries()).isZero();
    assertThat(store.all()).hasSize(PostMortemStore.MAX_RECENTLY_ENDED + 10);
  }

  @Test
  void anEndInTheFutureIsNow() throws Exception {
    letSilencePass();
    host(1).close();
    nowMillis += HOUR * 12;
    directory.tick();
    nowMillis -= HOUR * 12;
    reopen();
    assertThat(store.all().get(0).foundMillis()).isEqualTo(nowMillis);
    nowMillis += DAY + 1;
    store.removeOld();
    assertThat(store.all()).isEmpty();
  }

  @Test
  void aDirectoryForPostMortemsOfAnotherUserIsRefused() throws Exception {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused(open, "all users can write to it");
    Path real = Files.createDirectory(folder.resolve("real"));
    assertRefused(Files.createSymbolicLink(folder.resolve("link"), real), "link");
    PostMortemStore own = storeIn(folder.resolve("new").resolve("postmortem"));
    own.openOwn();
    own.openOwn();
    assertThat(folder.resolve("new").resolve("postmortem")).isDirectory();
  }

  private PostMortemStore storeIn(Path path) {
    return new PostMortemStore(path, new Retention(DAY, 1 << 20, HOUR), log::add, () -> nowMillis);
  }

  private void assertRefused(Path path, String why) {
    assertThatThrownBy(() -> storeIn(path).openOwn())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }

  /** The largest files are refused first, with a reason, whatever their names are. */
  @Test
  void theLargestFilesHarmThemselvesOnly() throws Exception {
    byte[] large = Objects.requireNonNull(WorstFiles.accepted(SidecarReports.host(1)).get("leaks"));
    long fit = HeapBudget.ofReports() / (7 << 20);
    assumeTrue(fit < 300, "a small heap");
    for (int i = 1; i <= fit + 5; i++) {
      HostIdentity host = SidecarReports.host(i);
      put(host, WorstFiles.of(host, large));
    }
    host(400);
    for (int i = 0; i < 2; i++) {
      String scrape = SidecarReports.scrape(directory);
      assertThat(scrape)
          .containsPattern("cistern_leaks_total[{]application=\"shop-400\".* 400.0\n");
      assertThat(directory.refused()).isNotEmpty().hasSizeLessThan((int) fit + 5);
      assertThat(directory.refused().values()).allMatch(why -> why.contains("-Xmx"));
    }
    assertThat(directory.failures()).isZero();
    HostView first = directory.all().get(0);
    if (HeapBudget.ofReports() < 14 << 20) {
      assertThatThrownBy(() -> directory.fullReport(first)).hasMessageContaining("a part of -Xmx");
    }
  }

  @Test
  void aFileWithoutLockIsNotUpForever() throws Exception {
    HostIdentity host = SidecarReports.host(1);
    byte[] file = Objects.requireNonNull(WorstFiles.accepted(host).get("accesses"));
    put(host, WorstFiles.withInterval(file, Long.MAX_VALUE));
    assertThat(directory.all()).singleElement().matches(HostView::isUp);
    nowMillis += 3 * 60_000 + 5_000;
    assertThat(directory.all()).noneMatch(HostView::isUp);
  }

  @Test
  void unchangedFilesAreNotReadAgain() throws Exception {
    StatsFileWriter writer = host(1);
    Row first = directory.all().get(0).copies().get(0).row();
    assertThat(directory.all().get(0).copies().get(0).row()).isSameAs(first);
    writer.heartbeat();
    assertThat(directory.all().get(0).copies().get(0).row()).isSameAs(first);
    writer.write(HostView.of(SidecarReports.report(SidecarReports.host(1), nowMillis, 7)));
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total.*Cart.* 7.0\n");
  }

  @Test
  void unreadableFilesAreTriedOnce() throws Exception {
    HostIdentity host = SidecarReports.host(1);
    Path file = put(host, Objects.requireNonNull(WorstFiles.refused(host).get("leaks")));
    for (int i = 0; i < 3; i++) {
      assertThat(directory.all()).singleElement().matches(HostView::isUp);
      assertThat(directory.refused().get(file.getFileName().toString())).contains("cannot be read");
      directory.tick();
      assertThat(directory.refused()).hasSize(1);
    }
    assertThat(directory.failures()).isEqualTo(1);
    assertThat(log).hasSize(1);
  }

  @Test
  void aHostThatEndsBeforeItsPageIsReadIsReadFromItsPostMortem() throws Exception {
    letSilencePass();
    StatsFileWriter writer = host(3);
    HostView up = directory.all().get(0);
    writer.close();
    directory.tick();
    assertThat(up.isUp()).isTrue();
    assertThat(directory.fullReport(up).copies()).hasSize(1);
    assertThat(directory.fullReport(up).copies().get(0).leaks().entries().get(0).stack().frames())
        .isNotEmpty();
  }

  @Test
  void aDirectoryThatCannotBeListedAnyMoreIsNoDirectoryWithoutHosts() throws Exception {
    host(1);
    assertThat(SidecarReports.scrape(directory)).contains("cistern_up 1.0", "shop-1");
    Path away = folder.resolveSibling(folder.getFileName() + "-away");
    Files.move(folder, away);
    try {
      assertThat(SidecarReports.scrape(directory)).contains("cistern_up 0.0");
      assertThatThrownBy(directory::all).isInstanceOf(UncheckedIOException.class);
      directory.tick();
    } finally {
      Files.move(away, folder);
    }
    assertThat(SidecarReports.scrape(directory)).contains("cistern_up 1.0", "shop-1");
  }
}

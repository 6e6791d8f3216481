/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.HostView.State;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.sidecar.PostMortemStore.Retention;
import dev.cistern.exporter.statsfile.HostLiveness;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts start and end, the sidecar keeps their files for a while, and a bad file harms no other.
 */
class StatsDirectoryTest {
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);

  @TempDir private Path folder;
  private Path kept;
  private final List<String> log = new ArrayList<>();
  private final List<StatsFileWriter> writers = new ArrayList<>();

  /**
   * A time ahead of the hosts' clock, so that a host without its lock has been silent for long
   * enough.
   */
  private long nowMillis = System.currentTimeMillis() + 2 * HostLiveness.MAX_SILENCE_MILLIS;

  private PostMortemStore store;
  private StatsDirectory directory;

  @BeforeEach
  void open() throws IOException {
    kept = folder.resolve("postmortem");
    open(new Retention(DAY, 1 << 20, HOUR));
  }

  private void open(Retention retention) throws IOException {
    store = new PostMortemStore(kept, retention, log::add, () -> nowMillis);
    store.open();
    directory = new StatsDirectory(folder, store, log::add, () -> nowMillis);
  }

  @AfterEach
  void close() throws IOException {
    for (StatsFileWriter writer : writers) {
      writer.close();
    }
  }

  private StatsFileWriter host(int number) throws IOException {
    HostIdentity host = SidecarReports.host(number);
    StatsFileWriter writer = StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000);
    writers.add(writer);
    writer.write(HostView.of(SidecarReports.report(host, nowMillis, number)));
    return writer;
  }

  private List<State> states() {
    return directory.all().stream().map(HostView::state).toList();
  }

  @Test
  void hostsStartAndEnd() throws Exception {
    assertThat(directory.all()).isEmpty();
    StatsFileWriter first = host(1);
    StatsFileWriter second = host(2);
    assertThat(states()).containsExactly(State.UP, State.UP);
    first.close();
    assertThat(states()).containsExactly(State.UP, State.DIED);
    second.exitCleanly();
    assertThat(states()).containsExactlyInAnyOrder(State.EXITED, State.DIED);
    assertThat(directory.failures() + store.failures()).isZero();
  }

  @Test
  void aSuspendedHostWithItsLockIsUp() throws Exception {
    host(1);
    nowMillis += HOUR;
    assertThat(states()).containsExactly(State.UP);
  }

  @Test
  void aHostWithoutItsLockIsUpUntilItsHeartbeatIsThreeSecondsOld() throws Exception {
    host(1).close();
    long heartbeatMillis = heartbeatMillis(1);
    nowMillis = heartbeatMillis + HostLiveness.MAX_SILENCE_MILLIS;
    assertThat(states()).containsExactly(State.UP);
    nowMillis++;
    assertThat(states()).containsExactly(State.DIED);
  }

  private long heartbeatMillis(int number) throws IOException {
    Path file = folder.resolve(SidecarReports.host(number).id() + StatsFileWriter.SUFFIX);
    return new StatsFileReader().readHeader(file).heartbeatMillis();
  }

  @Test
  void aHostThatAnnouncedItsEndIsNotWaitedFor() throws Exception {
    host(1).exitCleanly();
    nowMillis = heartbeatMillis(1);
    assertThat(states()).containsExactly(State.EXITED);
  }

  @Test
  void aLaterDeathReplacesAnEarlierReport() throws Exception {
    host(1).close();
    long first = heartbeatMillis(1);
    directory.tick();
    HostIdentity host = SidecarReports.host(1);
    StatsFileWriter again = StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000);
    writers.add(again);
    again.write(HostView.of(SidecarReports.report(host, nowMillis, 7)));
    assertThat(states()).containsExactly(State.UP);
    await()
        .until(
            () -> {
              again.heartbeat();
              return heartbeatMillis(1) > first;
            });
    again.close();
    nowMillis++;
    directory.tick();
    assertThat(store.all())
        .singleElement()
        .matches(found -> found.heartbeatMillis() > first)
        .matches(found -> found.foundMillis() == nowMillis);
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total[{]application=\"shop-1\".*Cart.* 7.0\n");
  }

  /** The file stays, as if the sidecar had no right to remove the files of hosts. */
  @Test
  void aDeathThatIsKeptIsNotKeptAgain() throws Exception {
    Path file = host(1).path();
    writers.get(0).close();
    byte[] left = Files.readAllBytes(file);
    directory.tick();
    long foundMillis = store.all().get(0).foundMillis();
    Files.write(file, left);
    nowMillis++;
    directory.tick();
    assertThat(store.all())
        .singleElement()
        .extracting(PostMortem::foundMillis)
        .isEqualTo(foundMillis);
  }

  @Test
  void aHostHasLabelsOfItsOwn() throws Exception {
    host(1);
    host(2).close();
    String scrape = SidecarReports.scrape(directory);
    assertThat(scrape)
        .contains("cistern_host_up{application=\"shop-1\",host_id=\"0000000000000001\"} 1.0\n")
        .contains("cistern_host_up{application=\"shop-2\",host_id=\"0000000000000002\"} 0.0\n")
        .containsPattern("cistern_reserved_bytes[{]application=\"shop-1\"")
        .doesNotContainPattern("cistern_reserved_bytes[{]application=\"shop-2\"")
        .containsPattern("cistern_leaks_total[{]application=\"shop-2\".*Cart.* 2.0\n")
        .containsPattern("cistern_leaks_total[{]application=\"shop-2\".*direct.*other\"} 0.0\n")
        .containsPattern("cistern_leaks_total[{]application=\"shop-2\".*heap.*other\"} 0.0\n");
  }

  @Test
  void theFileOfADeadHostIsKeptWhole() throws Exception {
    HostIdentity host = SidecarReports.host(3);
    host(3).close();
    directory.tick();
    assertThat(folder.resolve(host.id() + ".cistern")).doesNotExist();
    PostMortem found = store.all().get(0);
    assertThat(found.host()).isEqualTo(host);
    assertThat(found.state()).isEqualTo(State.DIED);
    assertThat(found.foundMillis()).isEqualTo(nowMillis);
    assertThat(store.state(found).copies())
        .isEqualTo(HostView.of(SidecarReports.report(host, 0, 3)).copies());
    assertThat(log).singleElement().asString().contains(host.id(), "has died", "/postmortem/");
  }

  /** This is most likely when memory is short, which is also when hosts die. */
  @Test
  void aHostThatCannotBeKeptIsShownFromItsOwnFileUntilItCan() throws Exception {
    Path file = host(3).path();
    writers.get(0).close();
    Files.delete(kept);
    Files.writeString(kept, "in the way");
    for (int i = 0; i < 3; i++) {
      assertThat(states()).containsExactly(State.DIED);
      assertThat(file).exists();
      assertThat(directory.refused()).containsOnlyKeys(file.getFileName().toString());
    }
    assertThat(directory.failures()).isEqualTo(3);
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total[{]application=\"shop-3\".*Cart.* 3.0\n");
    Files.delete(kept);
    Files.createDirectory(kept);
    assertThat(states()).containsExactly(State.DIED);
    assertThat(file).doesNotExist();
    assertThat(store.all()).hasSize(1);
  }

  @Test
  void junkCrowdsNoHostOut() throws Exception {
    for (int i = 0; i < StatsDirectory.MAX_HOSTS + 10; i++) {
      Files.writeString(folder.resolve("0-" + i + ".cistern"), "");
    }
    host(1);
    assertThat(states()).containsExactly(State.UP);
  }

  @Test
  void aNameCannotForgeALineOfTheLog() throws Exception {
    Files.writeString(folder.resolve("a\nhost has died\u001b[31m.cistern"), "");
    directory.all();
    assertThat(log).singleElement().asString().doesNotContain("\n", "\u001b");
  }

  @Test
  void anotherRunFindsTheKeptFiles() throws Exception {
    host(3).exitCleanly();
    directory.tick();
    open(new Retention(DAY, 1 << 20, HOUR));
    assertThat(store.all()).singleElement().extracting(PostMortem::state).isEqualTo(State.EXITED);
    assertThat(states()).containsExactly(State.EXITED);
  }

  @Test
  void scrapesShowAHostForAWhileAfterItsEndAndThePostMortemStays() throws Exception {
    host(3).close();
    assertThat(states()).containsExactly(State.DIED);
    nowMillis += HOUR + 1;
    assertThat(directory.all()).isEmpty();
    assertThat(store.all()).hasSize(1);
  }

  @Test
  void postMortemsAreRemovedByAge() throws Exception {
    host(3).close();
    directory.tick();
    nowMillis += DAY + 1;
    directory.tick();
    assertThat(store.all()).isEmpty();
    assertThat(store.removed()).isOne();
    assertThat(kept).isEmptyDirectory();
  }

  @Test
  void theOldestPostMortemsAreRemovedIfAllAreTooLarge() throws Exception {
    host(1).close();
    directory.tick();
    long bytes = store.bytes();
    open(new Retention(DAY, 2 * bytes + bytes / 2, HOUR));
    for (int number = 2; number <= 4; number++) {
      nowMillis++;
      host(number).close();
      directory.tick();
    }
    assertThat(store.all())
        .extracting(each -> each.host().application())
        .containsExactly("shop-4", "shop-3");
    assertThat(store.bytes()).isLessThanOrEqualTo(2 * bytes + bytes / 2);
    assertThat(kept).isDirectoryNotContaining("glob:**0001.cistern");
  }

  @Test
  void anInvalidFileIsRefusedOnceWithTheReasonAndTheRestIsServed() throws Exception {
    host(1);
    Files.writeString(folder.resolve("junk.cistern"), "junk");
    Files.createSymbolicLink(folder.resolve("link.cistern"), Path.of("/etc/passwd"));
    Files.createDirectory(folder.resolve("folder.cistern"));
    Files.copy(writers.get(0).path(), folder.resolve("00000000000000ff.cistern"));
    for (int i = 0; i < 3; i++) {
      assertThat(states()).containsExactly(State.UP);
    }
    assertThat(directory.refused())
        .containsOnlyKeys(
            "junk.cistern", "link.cistern", "folder.cistern", "00000000000000ff.cistern");
    assertThat(directory.refused().get("link.cistern")).contains("symbolic link");
    assertThat(directory.refused().get("00000000000000ff.cistern"))
        .contains("belongs to host 0000000000000001");
    assertThat(log).hasSize(4).allMatch(line -> line.contains("is refused: "));
  }

  @Test
  void aMissingDirectoryIsLoggedOnceAndTriedAgain() throws Exception {
    Path later = folder.resolve("later");
    directory = new StatsDirectory(later, store, log::add, () -> nowMillis);
    assertThat(directory.all()).isEmpty();
    directory.tick();
    assertThat(log)
        .singleElement()
        .asString()
        .contains("statsDirectory = '" + later + "' cannot be read");
    Files.createDirectory(later);
    StatsFileWriter writer =
        StatsFileWriter.create(later, SidecarReports.host(1), StatsFileWriter.MAX_BYTES, 1_000);
    writers.add(writer);
    assertThat(states()).containsExactly(State.UP);
  }

  @Test
  void aHostWithoutAReportIsUp() throws Exception {
    writers.add(
        StatsFileWriter.create(folder, SidecarReports.host(1), StatsFileWriter.MAX_BYTES, 1_000));
    assertThat(directory.all())
        .singleElement()
        .matches(state -> state.isUp() && state.copies().isEmpty());
  }

  @Test
  void aClockThatIsSetBackHoldsNothingUp() throws Exception {
    HostIdentity host = SidecarReports.host(9);
    StatsFileWriter writer = host(9);
    directory.all();
    writer.write(HostView.of(SidecarReports.report(host, nowMillis - HOUR, 10)));
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total.*Cart.* 10.0");
  }

  @Test
  void anOlderFrameThanTheLastIsNotShown() throws Exception {
    HostIdentity host = SidecarReports.host(9);
    StatsFileWriter writer = host(9);
    byte[] first = Files.readAllBytes(writer.path());
    writer.write(HostView.of(SidecarReports.report(host, nowMillis, 10)));
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total.*Cart.* 10.0");
    Files.write(writer.path(), first);
    assertThat(SidecarReports.scrape(directory))
        .containsPattern("cistern_leaks_total.*Cart.* 10.0");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.statsfile.WorstFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlWriterTest {
  private static final HostIdentity HOST = SidecarReports.host(1);

  @TempDir private Path folder;
  private final List<String> log = new ArrayList<>();
  private ControlWriter writer;
  private Path stats;
  private Path file;

  @BeforeEach
  void make() throws IOException {
    writer = new ControlWriter(folder, log::add);
    stats = Files.writeString(folder.resolve(HOST.id() + ".cistern"), "");
    file = folder.resolve(HOST.id() + ".sidecar-control");
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(each -> String.valueOf(each.getFileName())).sorted().toList();
    }
  }

  private void assertRefused(String reason) throws IOException {
    assertThatThrownBy(() -> writer.write(HostView.nothing(HOST), "mode=off", "alice"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot write " + file.getFileName() + ": ")
        .hasMessageContaining(reason);
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).startsWith("command failed: 'mode=off' for host " + HOST.id());
    assertThat(names()).noneMatch(name -> name.endsWith(".tmp"));
  }

  @Test
  void aFileIsWrittenAndReplaced() throws Exception {
    assertThat(writer.write(HostView.nothing(HOST), "mode=swap,percent=5", "ali\nce"))
        .isEqualTo(HOST.id() + ".sidecar-control");
    assertThat(file).content().isEqualTo("mode=swap,percent=5\n");
    writer.write(HostView.nothing(HOST), "mode=off", "bob");
    assertThat(file).content().isEqualTo("mode=off\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r--r--");
    assertThat(names()).containsExactly(HOST.id() + ".cistern", HOST.id() + ".sidecar-control");
    assertThat(log)
        .containsExactly(
            "command written: 'mode=swap,percent=5' for host " + HOST.id() + " by 'ali?ce'",
            "command written: 'mode=off' for host " + HOST.id() + " by 'bob'");
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Files.createSymbolicLink(file, victim);
    assertRefused("a link or another special file");
    assertThat(victim).content().isEqualTo("precious");
    assertThat(file).isSymbolicLink();
  }

  @Test
  void aDirectoryIsNotReplaced() throws Exception {
    Files.createDirectory(file);
    assertRefused("a link or another special file");
  }

  @Test
  void aFileOfAnotherUserIsNotReplaced() throws Exception {
    Files.writeString(file, "mode=observe");
    assumeTrue(Files.getAttribute(file, "unix:uid").equals(0), "only root can give files away");
    Files.setAttribute(file, "unix:uid", 4_711);
    assertRefused("user 4711 owns the file");
    assertThat(file).content().isEqualTo("mode=observe");
  }

  @Test
  void aMissingDirectoryIsNamed() throws Exception {
    ControlWriter nowhere = new ControlWriter(folder.resolve("none"), log::add);
    assertThatThrownBy(() -> nowhere.write(HostView.nothing(HOST), "mode=off", "alice"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("NoSuchFileException");
    assertThat(log).hasSize(1);
  }

  @Test
  void aHostThatHasEndedGetsNoFile() throws Exception {
    Files.delete(stats);
    assertRefused("the host has ended");
    assertThat(names()).isEmpty();
  }

  @Test
  void controlFilesAreNoJunkAndGoWithTheirHost() throws Exception {
    Files.delete(stats);
    PostMortemStore store =
        new PostMortemStore(
            folder.resolve("kept"),
            new PostMortemStore.Retention(TimeUnit.DAYS.toMillis(1), 1 << 20, 1_000),
            log::add,
            System::currentTimeMillis);
    store.open();
    StatsDirectory directory =
        new StatsDirectory(folder, store, log::add, System::currentTimeMillis);
    HostIdentity living = SidecarReports.host(2);
    Path other = Files.writeString(folder.resolve(living.id() + ".control"), "mode=off");
    Path own = Files.writeString(folder.resolve(HOST.id() + ".control"), "mode=off");
    try (StatsFileWriter alive = host(living)) {
      Path died;
      try (StatsFileWriter dying = host(HOST)) {
        died = dying.path();
        writer.write(HostView.nothing(HOST), "mode=off", "alice");
        log.clear();
        directory.tick();
        assertThat(directory.all()).hasSize(2);
        assertThat(log).isEmpty();
        assertThat(directory.refused()).isEmpty();
      }
      Files.write(died, WorstFiles.dead(Files.readAllBytes(died)));
      directory.tick();
      assertThat(log).hasSize(1);
      assertThat(log.get(0)).contains("has died");
      assertThat(own).doesNotExist();
      assertThat(file).doesNotExist();
      assertThat(other).exists();
      assertThat(alive.path()).exists();
    }
  }

  private StatsFileWriter host(HostIdentity host) throws IOException {
    StatsFileWriter started =
        StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000);
    started.write(HostView.of(SidecarReports.report(host, System.currentTimeMillis(), 0)));
    return started;
  }
}

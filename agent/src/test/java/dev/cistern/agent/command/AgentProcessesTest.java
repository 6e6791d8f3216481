/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents are found by their stats files, in a {@code /proc} directory that the test creates. */
@SuppressWarnings("try") // an open writer is a live JVM
class AgentProcessesTest {
  private static final String HERE = "mnt:[1]";
  private static final String CONTAINER = "mnt:[2]";

  @TempDir private Path folder;

  private Path proc() throws Exception {
    Path proc = Files.createDirectories(folder.resolve("proc"));
    Path self = Files.createDirectories(proc.resolve("self/ns"));
    if (!Files.isSymbolicLink(self.resolve("mnt"))) {
      Files.createSymbolicLink(self.resolve("mnt"), Path.of(HERE));
    }
    return proc;
  }

  private void process(long pid, long innerPid, String mounts, Path root, Path... open)
      throws Exception {
    Path directory = Files.createDirectories(proc().resolve(String.valueOf(pid)));
    Files.writeString(
        directory.resolve("status"),
        "Name:\tjava\nNSpid:\t" + pid + (pid == innerPid ? "" : "\t" + innerPid) + "\n");
    Files.createDirectories(directory.resolve("ns"));
    Files.createSymbolicLink(directory.resolve("ns/mnt"), Path.of(mounts));
    Files.createSymbolicLink(directory.resolve("root"), root);
    Path descriptors = Files.createDirectories(directory.resolve("fd"));
    for (int i = 0; i < open.length; i++) {
      Files.createSymbolicLink(descriptors.resolve(String.valueOf(i)), open[i]);
    }
  }

  private static HostIdentity host(String id, long pid) {
    return new HostIdentity(id, "shop", "", "", pid, "1", System.currentTimeMillis());
  }

  private static StatsFileWriter write(Path directory, HostIdentity host) throws Exception {
    Files.createDirectories(directory);
    StatsFileWriter writer =
        StatsFileWriter.create(directory, host, StatsFileWriter.MIN_BYTES, 1_000);
    writer.write(HostView.nothing(host));
    return writer;
  }

  @Test
  void eachPlaceIsLookedAtAndProcessIdsAreThoseOfThisMachine() throws Exception {
    Path memory = folder.resolve("memory");
    Path own = memory.resolve("cistern-app");
    Path named = folder.resolve("named");
    Path inside = folder.resolve("container");
    String one = "0000000000000001";
    String two = "0000000000000002";
    String three = "0000000000000003";
    try (StatsFileWriter first = write(own, host(one, 7));
        StatsFileWriter second = write(named, host(two, 8));
        StatsFileWriter third = write(inside.resolve("dev/shm/cistern-app"), host(three, 7))) {
      process(7, 7, HERE, folder, own.resolve(one + ".cistern"));
      process(8, 8, HERE, folder, named.resolve(two + ".cistern"));
      process(
          900, 7, CONTAINER, inside, inside.resolve("dev/shm/cistern-app/" + three + ".cistern"));
      AgentProcesses found = AgentProcesses.find(proc(), List.of(memory), null);
      assertThat(found.all())
          .extracting(AgentProcess::pid, agent -> agent.identity().id())
          .containsExactly(tuple(7L, one), tuple(8L, two), tuple(900L, three));
      assertThat(found.get(900).process()).matches(LocalProcess::isInContainer);
      assertThat(found.get(8).report().id()).isEqualTo(two);
      assertThat(found.notes()).isEmpty();
    }
  }

  @Test
  void aFileWithoutItsProcessHasNoPid() throws Exception {
    Path memory = folder.resolve("memory");
    try (StatsFileWriter writer = write(memory.resolve("cistern-a"), host("00000000000000aa", 7))) {
      process(7, 7, HERE, folder);
      AgentProcesses found = AgentProcesses.find(proc(), List.of(memory), null);
      assertThat(found.all()).singleElement().extracting(AgentProcess::pid).isEqualTo(0L);
      assertThatThrownBy(() -> found.get(7)).hasMessageContaining("has no stats file");
    }
  }

  /** Any user who knows the ID of a host can write a file with its name. */
  @Test
  void aFileThatTheProcessDoesNotHaveOpenIsNotItsOwn() throws Exception {
    Path memory = folder.resolve("memory");
    Path forged = memory.resolve("cistern-a");
    Path real = folder.resolve("real");
    String id = "00000000000000aa";
    try (StatsFileWriter first = write(forged, host(id, 7));
        StatsFileWriter second = write(real, host(id, 7))) {
      process(7, 7, HERE, folder, real.resolve(id + ".cistern"));
      AgentProcesses found = AgentProcesses.find(proc(), List.of(memory), real.toString());
      assertThat(found.get(7).file()).isEqualTo(real.resolve(id + ".cistern"));
      found = AgentProcesses.find(proc(), List.of(memory), null);
      assertThat(found.get(7).file()).isEqualTo(real.resolve(id + ".cistern"));
      assertThat(found.all()).hasSize(1);
      found = AgentProcesses.find(proc(), List.of(memory, folder), forged.toString());
      assertThat(found.get(7).file()).isEqualTo(real.resolve(id + ".cistern"));
    }
  }

  @Test
  void linksOtherFilesAndEndedHostsAreIgnored() throws Exception {
    Path memory = Files.createDirectories(folder.resolve("memory"));
    Path target = folder.resolve("elsewhere");
    process(7, 7, HERE, folder);
    try (StatsFileWriter writer = write(target, host("00000000000000aa", 7))) {
      Files.createSymbolicLink(memory.resolve("cistern-link"), target);
      Path junk = Files.createDirectories(memory.resolve("cistern-junk"));
      Files.writeString(junk.resolve("00000000000000bb.cistern"), "junk");
      assertThat(AgentProcesses.find(proc(), List.of(memory), null).all()).isEmpty();
      assertThat(AgentProcesses.find(proc(), List.of(memory), target.toString()).all()).hasSize(1);
    }
  }

  /** A process can put a pipe into its own root; a command that reads it must not wait. */
  @Test
  void onlyRegularFilesOfAProcessAreRead() throws Exception {
    Path process = Files.createDirectories(proc().resolve("901"));
    Files.writeString(process.resolve("status"), "Name:\tjava\n");
    ProcessBuilder pipe = new ProcessBuilder("mkfifo", process.resolve("pipe").toString());
    assertThat(Tool.run(pipe, 10).status()).isZero();
    Files.createSymbolicLink(process.resolve("link"), Path.of("status"));
    LocalProcess read = LocalProcess.read(process);
    assertThat(read).isNotNull();
    assertThat(read.text("status")).startsWith("Name:");
    assertThat(read.text("pipe")).isEmpty();
    assertThat(read.text("link")).isEmpty();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.statsfile.HostLiveness;
import dev.cistern.exporter.statsfile.StatsFileHeader;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JVMs of this machine that have the agent, found by their stats files. It searches the default
 * directories, a given directory, the directories of files that JVMs have open, and the same
 * directories of each container. It attaches to no JVM.
 */
final class AgentProcesses {
  private static final String SHARED_MEMORY = "/dev/shm";
  private static final String TEMPORARY = "/tmp";
  private static final String DEFAULT_DIRECTORIES = "cistern-*";

  private final Path proc;
  private final StatsFileReader reader = new StatsFileReader();
  private final List<LocalProcess> processes = new ArrayList<>();

  /** Agents by the ID of their host, which is unique. */
  private final Map<String, AgentProcess> agents = new TreeMap<>();

  /** Missing permissions, by the user that has them. */
  private final Map<String, String> notes = new TreeMap<>();

  private final Set<Path> seen = new HashSet<>();

  private AgentProcesses(Path proc) {
    this.proc = proc;
  }

  /**
   * Returns the agents of this machine.
   *
   * @param statsDirectory a further directory to search, or null
   */
  static AgentProcesses find(@Nullable String statsDirectory) {
    return find(
        LocalProcess.PROC,
        List.of(Path.of(SHARED_MEMORY), Path.of(System.getProperty("java.io.tmpdir"))),
        statsDirectory);
  }

  /**
   * Returns the agents of this machine.
   *
   * @param parents directories with the default directories of this mount namespace
   */
  static AgentProcesses find(Path proc, List<Path> parents, @Nullable String statsDirectory) {
    AgentProcesses found = new AgentProcesses(proc);
    found.readProcesses();
    if (statsDirectory != null) {
      found.look(Path.of(statsDirectory));
    }
    parents.forEach(found::lookBelow);
    found.lookIntoProcesses(statsDirectory);
    return found;
  }

  private void readProcesses() {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path directory : directories) {
        LocalProcess process = LocalProcess.read(directory);
        if (process != null) {
          processes.add(process);
        }
      }
    } catch (IOException | DirectoryIteratorException withoutProc) {
      // not Linux: the stats files name the processes
    }
  }

  private void lookIntoProcesses(@Nullable String statsDirectory) {
    Set<String> mounts = new HashSet<>();
    for (LocalProcess process : processes) {
      try {
        lookInto(process, statsDirectory, mounts);
      } catch (RuntimeException strange) { // such as an invalid path
        notes.putIfAbsent(
            process.directory().toString(), "cannot read " + process.directory() + ": " + strange);
      }
    }
  }

  private void lookInto(LocalProcess process, @Nullable String statsDirectory, Set<String> mounts) {
    List<String> open = process.isJvm() ? process.openFiles() : List.of();
    if (open == null) {
      note(process.user(), "the files of process " + process.pid());
    } else {
      for (String file : open) {
        if (file.endsWith(StatsFileWriter.SUFFIX)) {
          look(process.inRoot(file.substring(0, Math.max(1, file.lastIndexOf('/')))));
        }
      }
    }
    if (process.isInContainer() && mounts.add(process.mounts())) {
      lookBelow(process.inRoot(SHARED_MEMORY));
      lookBelow(process.inRoot(TEMPORARY));
      if (statsDirectory != null && statsDirectory.startsWith("/")) {
        look(process.inRoot(statsDirectory));
      }
    }
  }

  private void lookBelow(Path parent) {
    if (Files.isSymbolicLink(parent)) {
      return; // it leads out of the container
    }
    try (DirectoryStream<Path> directories =
        Files.newDirectoryStream(parent, DEFAULT_DIRECTORIES)) {
      for (Path directory : directories) {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
          look(directory);
        }
      }
    } catch (IOException | DirectoryIteratorException none) {
      // no agent has a file there that this user can read
    }
  }

  private void look(Path directory) {
    if (!seen.add(directory)) {
      return;
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "[!.]*" + StatsFileWriter.SUFFIX)) {
      for (Path file : files) {
        add(file);
      }
    } catch (AccessDeniedException forbidden) {
      note(owner(directory), String.valueOf(directory));
    } catch (NoSuchFileException | NotDirectoryException none) {
      // the host has ended
    } catch (IOException | DirectoryIteratorException failed) {
      notes.putIfAbsent(directory.toString(), "cannot read " + directory + ": " + failed);
    }
  }

  private void add(Path file) {
    try {
      StatsFileHeader header = reader.readHeader(file);
      String id = header.identity().id();
      boolean isHost =
          !header.isCopy()
              && file.endsWith(id + StatsFileWriter.SUFFIX)
              && !isKnown(id)
              && HostLiveness.isAlive(file, header, System.currentTimeMillis());
      if (isHost) {
        LocalProcess process = processOf(header.identity().pid(), file);
        long hostPid = processes.isEmpty() ? header.identity().pid() : 0;
        agents.put(
            id,
            new AgentProcess(
                process == null ? hostPid : process.pid(), process, file, header.identity()));
      }
    } catch (AccessDeniedException forbidden) {
      note(owner(file), String.valueOf(file));
    } catch (IOException noStatsFile) {
      // another program's file, or that of a host that has ended
    }
  }

  /** Returns whether there is a file of this host that a process has open. */
  private boolean isKnown(String id) {
    AgentProcess known = agents.get(id);
    return known != null && (known.process() != null || processes.isEmpty());
  }

  /**
   * Returns the process that has the stats file open, or null. Process IDs are not unique across
   * containers; the open file is.
   */
  private @Nullable LocalProcess processOf(long innerPid, Path file) {
    List<LocalProcess> unknown = new ArrayList<>();
    for (LocalProcess process : processes) {
      if (process.innerPid() == innerPid) {
        if (process.openFiles() == null) {
          unknown.add(process);
        } else if (process.hasOpen(file)) {
          return process;
        }
      }
    }
    return unknown.size() == 1 ? unknown.get(0) : null;
  }

  private void note(String user, String object) {
    notes.putIfAbsent(
        user, "cannot read " + object + ": permission denied; run as root or as user " + user);
  }

  private static String owner(Path path) {
    try {
      return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
    } catch (IOException unknown) {
      return "root";
    }
  }

  /** Returns the agents. */
  Collection<AgentProcess> all() {
    return agents.values();
  }

  /** Returns the JVMs of this machine; empty on systems other than Linux. */
  List<LocalProcess> jvms() {
    return processes.stream().filter(LocalProcess::isJvm).toList();
  }

  /** Returns a line for each permission that is missing. */
  Collection<String> notes() {
    return notes.values();
  }

  /** Returns the agent of a process. */
  AgentProcess get(long pid) throws HostException {
    for (AgentProcess agent : agents.values()) {
      if (agent.pid() == pid) {
        return agent;
      }
    }
    LocalProcess process = LocalProcess.read(proc.resolve(String.valueOf(pid)));
    String note = process == null ? null : notes.get(process.user());
    throw new HostException(
        "process "
            + pid
            + " has no stats file: it does not have the agent, has found no Netty yet, or has another"
            + " directory (--statsDirectory)"
            + (note == null ? "" : "; " + note));
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.util.internal.OpenFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The files of ended hosts, in a directory of one user. */
final class DeadFiles {
  private static final int KEPT = 16;
  private static final long KEPT_MILLIS = 24 * 3_600_000L;

  /** Time after the end of a host within which a sidecar can copy its file. */
  private static final long TOUCHED_AFTER_MILLIS = 600_000;

  /** Precision of the start time of a process, which is known in clock ticks of the system. */
  private static final long START_PRECISION_MILLIS = 1_000;

  private final Path directory;
  private final long nowMillis;
  private final List<Dead> dead = new ArrayList<>();

  /**
   * Names of the files that this process has open. Another Cistern in this JVM may write one of
   * them. Opening and closing it here would release its lock. On other systems than Linux, the
   * process ID in the header identifies files of this process.
   */
  private final Set<String> open = OpenFiles.names();

  /** A file of an ended host, and the time of its last heartbeat. */
  private record Dead(Path path, long aliveMillis) {}

  private DeadFiles(Path directory, long nowMillis) {
    this.directory = directory;
    this.nowMillis = nowMillis;
  }

  /**
   * Removes files of hosts that ended more than a day ago. Keeps only the newest few of those that
   * ended more than ten minutes ago. Files of other users stay, and so do files that this process
   * has open.
   */
  static void remove(Path directory, long nowMillis) throws IOException {
    DeadFiles files = new DeadFiles(directory, nowMillis);
    files.find();
    files.removeOldest();
  }

  private void find() throws IOException {
    Object owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        boolean isOurs =
            Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(owner);
        if (isOurs) {
          check(path);
        }
      }
    }
  }

  private void check(Path path) {
    String name = String.valueOf(path.getFileName());
    boolean isUnfinished = name.startsWith(".") && name.endsWith(MappedFile.UNFINISHED);
    if (open.contains(name)) {
      return;
    }
    try {
      if (isUnfinished && changedMillis(path) < nowMillis - KEPT_MILLIS) {
        dead.add(new Dead(path, 0));
      } else if (name.endsWith(StatsFileWriter.SUFFIX) && !StatsFileReader.isLocked(path)) {
        checkUnlocked(path);
      }
    } catch (IOException goneOrUnreadable) {
      // Another process removes the file, or it cannot be read: leave it.
    }
  }

  /**
   * Checks a file without a lock. On a file system without locks, its host counts as running until
   * its header or the age of its heartbeat shows otherwise.
   */
  private void checkUnlocked(Path path) throws IOException {
    try {
      StatsFileHeader header = new StatsFileReader().readHeader(path);
      boolean mayLive = !header.isLocked() && !header.exitedCleanly();
      boolean isOld = header.heartbeatMillis() < nowMillis - KEPT_MILLIS;
      if ((isOld || !mayLive) && !isOfThisProcess(header.identity())) {
        boolean isPossible = header.heartbeatMillis() <= nowMillis + KEPT_MILLIS;
        dead.add(new Dead(path, isPossible ? header.heartbeatMillis() : changedMillis(path)));
      }
    } catch (StatsFileException damaged) {
      dead.add(new Dead(path, changedMillis(path)));
    }
  }

  /**
   * Returns whether a host is in this process. A process ID alone is not enough, because every
   * container begins with the same IDs.
   */
  private static boolean isOfThisProcess(HostIdentity host) {
    ProcessHandle self = ProcessHandle.current();
    long startMillis = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return host.pid() == self.pid() && host.startMillis() >= startMillis - START_PRECISION_MILLIS;
  }

  private static long changedMillis(Path path) throws IOException {
    return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toMillis();
  }

  private void remove(Path path) throws IOException {
    String name = String.valueOf(path.getFileName());
    Files.deleteIfExists(path);
    if (name.endsWith(StatsFileWriter.SUFFIX)) {
      String id = name.substring(0, name.length() - StatsFileWriter.SUFFIX.length());
      ControlFileNames.removeOf(directory, id);
    }
  }

  private void removeOldest() throws IOException {
    dead.sort(Comparator.comparingLong(Dead::aliveMillis).reversed());
    for (int i = 0; i < dead.size(); i++) {
      long silence = nowMillis - dead.get(i).aliveMillis();
      if (silence > KEPT_MILLIS || (i >= KEPT && silence > TOUCHED_AFTER_MILLIS)) {
        remove(dead.get(i).path());
      }
    }
  }
}

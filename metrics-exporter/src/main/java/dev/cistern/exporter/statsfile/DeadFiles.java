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

/** The files of hosts that are gone, in a directory of one user. */
final class DeadFiles {
  private static final int KEPT = 16;
  private static final long KEPT_MILLIS = 24 * 3_600_000L;

  /** A sidecar has had time to keep a copy of what is dead for longer. */
  private static final long TOUCHED_AFTER_MILLIS = 600_000;

  /** The start of a process is known in clock ticks of the system. */
  private static final long START_PRECISION_MILLIS = 1_000;

  private final Path directory;
  private final long nowMillis;
  private final List<Dead> dead = new ArrayList<>();

  /**
   * Another Cistern in this JVM may write a file there: it would lose its lock if that was opened,
   * and closed, here. On other systems than Linux, the process id in its header shows that it is of
   * this process.
   */
  private final Set<String> open = OpenFiles.names();

  /** A file of a host that is gone, and when that was last alive. */
  private record Dead(Path path, long aliveMillis) {}

  private DeadFiles(Path directory, long nowMillis) {
    this.directory = directory;
    this.nowMillis = nowMillis;
  }

  /**
   * Removes what ended more than a day ago, and of what ended more than minutes ago all but the
   * newest few. What another user has put there stays, and what this process has open.
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
          look(path);
        }
      }
    }
  }

  private void look(Path path) {
    String name = String.valueOf(path.getFileName());
    boolean isUnfinished = name.startsWith(".") && name.endsWith(MappedFile.UNFINISHED);
    if (open.contains(name)) {
      return;
    }
    try {
      if (isUnfinished && changedMillis(path) < nowMillis - KEPT_MILLIS) {
        dead.add(new Dead(path, 0));
      } else if (name.endsWith(StatsFileWriter.SUFFIX) && !StatsFileReader.isLocked(path)) {
        lookAtUnlocked(path);
      }
    } catch (IOException gone) {
      // Somebody else removes, or it cannot be read: then it is not ours to remove.
    }
  }

  /** A host whose file system has no locks lives as long as it says so. */
  private void lookAtUnlocked(Path path) throws IOException {
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

  /** A process id alone comes back: every container begins with the same. */
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The files of hosts that are gone, in a directory of one user. */
final class DeadFiles {
  private static final int KEPT = 4;
  private static final long KEPT_MILLIS = 24 * 3_600_000L;

  private final Path directory;
  private final long nowMillis;
  private final List<Dead> dead = new ArrayList<>();

  /** A file of a host that is gone, and when that was last alive. */
  private record Dead(Path path, long aliveMillis) {}

  private DeadFiles(Path directory, long nowMillis) {
    this.directory = directory;
    this.nowMillis = nowMillis;
  }

  /**
   * Removes all but the newest few of those that ended in the last day. What another user has put
   * there stays.
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
      if (!mayLive || header.heartbeatMillis() < nowMillis - KEPT_MILLIS) {
        dead.add(new Dead(path, header.heartbeatMillis()));
      }
    } catch (StatsFileException damaged) {
      dead.add(new Dead(path, changedMillis(path)));
    }
  }

  private static long changedMillis(Path path) throws IOException {
    return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toMillis();
  }

  private void removeOldest() throws IOException {
    dead.sort(Comparator.comparingLong(Dead::aliveMillis).reversed());
    for (int i = 0; i < dead.size(); i++) {
      if (i >= KEPT || dead.get(i).aliveMillis() < nowMillis - KEPT_MILLIS) {
        Files.deleteIfExists(dead.get(i).path());
      }
    }
  }
}

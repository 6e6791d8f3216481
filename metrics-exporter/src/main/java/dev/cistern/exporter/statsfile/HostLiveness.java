/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Decides whether the host of a stats file runs: it holds the lock on its file, or its heartbeat
 * continues. Process IDs are not enough, because containers do not share them. A stopped JVM has
 * the lock but no heartbeat. A JVM that has lost the lock, because it read its own file, has the
 * heartbeat.
 */
public final class HostLiveness {
  /**
   * Maximum time in milliseconds between two heartbeats of a running host without a lock. Hosts
   * write one a second if the file system has locks.
   */
  public static final long MAX_SILENCE_MILLIS = 3_000;

  /** Number of missed intervals that end a host if the file system has no locks. */
  private static final int MAX_MISSED_INTERVALS = 3;

  /**
   * Upper limit of the interval. A longer interval in a file would make an ended host look alive.
   */
  private static final long MAX_INTERVAL_MILLIS = 60_000;

  private HostLiveness() {}

  /**
   * Returns whether the host of a file runs.
   *
   * <p>A host that enlarges its file replaces it with another one, and then unlocks the old one.
   * Therefore a missing lock counts only if the file is still the same.
   *
   * @param header header of that file, read just before
   * @param nowMillis the time, in milliseconds since the epoch
   * @throws IOException if the file cannot be read
   */
  public static boolean isAlive(Path file, StatsFileHeader header, long nowMillis)
      throws IOException {
    if (!header.isLocked()) {
      long interval = Math.min(Math.max(0, header.intervalMillis()), MAX_INTERVAL_MILLIS);
      long limit = Math.max(MAX_SILENCE_MILLIS, MAX_MISSED_INTERVALS * interval);
      return hasHeartbeat(header, nowMillis, limit);
    }
    Object before = key(file);
    return StatsFileReader.isLocked(file)
        || !Objects.equals(before, key(file))
        || hasHeartbeat(header, nowMillis, MAX_SILENCE_MILLIS);
  }

  /**
   * Returns whether there is a recent heartbeat. Ignores a heartbeat in the future, and that of a
   * host that has announced its end.
   */
  private static boolean hasHeartbeat(StatsFileHeader header, long nowMillis, long limitMillis) {
    long silence = nowMillis - header.heartbeatMillis();
    return !header.exitedCleanly() && silence >= -MAX_SILENCE_MILLIS && silence <= limitMillis;
  }

  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes = MappedFile.attributes(file);
    Object key = attributes.fileKey();
    return key != null ? key : attributes.creationTime();
  }
}

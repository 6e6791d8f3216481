/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Writer of the stats file of one host: {@code <host id>.cistern} in a directory. The file exists
 * from the start and stays when the process ends. For one thread.
 *
 * <p>The file begins small and grows by being replaced with a larger one, up to a limit. Beyond the
 * limit, details are left out and counted. While the file is open, the process holds a lock on it.
 * On POSIX systems a process loses its locks on a file as soon as it closes any descriptor of that
 * file, so the writer takes the lock again with a heartbeat.
 */
public final class StatsFileWriter implements AutoCloseable {
  /** Suffix of the files' names. */
  public static final String SUFFIX = ".cistern";

  /** The smallest limit of a file, in bytes. */
  public static final int MIN_BYTES = 512 << 10;

  /** The largest limit of a file, in bytes; the default. */
  public static final int MAX_BYTES = Layout.MAX_FILE_BYTES;

  private static final int FIRST_BYTES = 512 << 10;

  /** Number of writes after which a failed replacement is tried again. */
  private static final int PATIENCE = 64;

  /** Minimum time between two attempts to replace a missing file. */
  private static final long REPLACE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Interval at which the lock is taken again. */
  private static final long LOCK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Files that this process writes. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final HostIdentity host;
  private final int maxBytes;
  private final long intervalMillis;
  private volatile MappedFile file;
  private final HistoryRing history;
  private volatile boolean isExiting;
  private long sequence;
  private long dropped;
  private long failures;
  private long writes;
  private long growthFailures;
  private long growsAgainAt;
  private long replacedNanos = System.nanoTime() - REPLACE_AGAIN_NANOS;
  private long lockedNanos = System.nanoTime();
  private boolean isClosed;

  private StatsFileWriter(Path directory, HostIdentity host, int maxBytes, long intervalMillis)
      throws IOException {
    this.directory = directory;
    this.host = host;
    this.maxBytes = maxBytes & -Layout.HEADER_BYTES;
    this.intervalMillis = intervalMillis;
    this.file = newFile(Math.min(FIRST_BYTES, this.maxBytes));
    this.history = new HistoryRing(file.history());
    publishOrDiscard(file);
    boolean unused = OPEN.add(path().toAbsolutePath());
  }

  /**
   * Returns whether this process writes to a file. The process must not open the file to check,
   * because closing it would release the lock.
   */
  static boolean isOpenHere(Path path) {
    return OPEN.contains(path.toAbsolutePath());
  }

  private void publishOrDiscard(MappedFile made) throws IOException {
    try {
      made.publish(directory.resolve(host.id() + SUFFIX));
    } catch (IOException | RuntimeException | Error failure) {
      made.discard();
      throw failure;
    }
  }

  /**
   * Creates the file of a host, without a report yet.
   *
   * @param directory the directory; a symbolic link to one is refused
   * @param host identity of the host; its ID names the file
   * @param maxBytes maximum size of the file, from {@link #MIN_BYTES} to {@link #MAX_BYTES}
   * @param intervalMillis configured interval of the reports, by which readers detect late ones
   * @throws IOException if the file cannot be created
   * @throws IllegalArgumentException if {@code maxBytes} is out of range, or the host's ID is not
   *     16 hexadecimal digits
   */
  public static StatsFileWriter create(
      Path directory, HostIdentity host, int maxBytes, long intervalMillis) throws IOException {
    if (maxBytes < MIN_BYTES || maxBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "maxBytes: " + maxBytes + " (expected: " + MIN_BYTES + " to " + MAX_BYTES + ")");
    }
    checkDirectory(directory);
    return new StatsFileWriter(directory, host, maxBytes, intervalMillis);
  }

  private static void checkDirectory(Path directory) throws IOException {
    BasicFileAttributes found;
    try {
      found = MappedFile.attributes(directory);
    } catch (NoSuchFileException missing) {
      throw new StatsFileException(directory + " is not there (expected: a directory)");
    }
    if (!found.isDirectory()) {
      throw new StatsFileException(
          directory
              + (found.isSymbolicLink() ? " is a symbolic link" : " is a file")
              + " (expected: a directory)");
    }
  }

  private MappedFile newFile(int bytes) throws IOException {
    return MappedFile.create(directory, host, bytes, intervalMillis);
  }

  /** Returns the path of the file. */
  public Path path() {
    return directory.resolve(host.id() + SUFFIX);
  }

  /** Returns the current size of the file. */
  public long fileBytes() {
    return file.bytes();
  }

  /** Returns the history so far. For any thread. */
  History history() {
    byte[] region = new byte[HistoryRing.BYTES];
    try {
      file.history().get(region);
    } catch (InternalError cutOff) { // the file was truncated
      return History.NONE;
    }
    return HistoryRing.read(region);
  }

  /**
   * Returns the number of rows and stacks that the last report left out to fit; 0 if it is
   * complete.
   */
  public long rowsDropped() {
    return dropped;
  }

  /** Returns how often the file had to grow or to be replaced, and could not. */
  long growthFailures() {
    return growthFailures;
  }

  /**
   * Writes a report and a heartbeat.
   *
   * @throws IOException if the report does not fit, however much is left out
   * @throws IllegalStateException if the writer is closed
   */
  public void write(HostView host) throws IOException {
    checkOpen();
    writes++;
    replaceIfGone();
    file.heartbeat(System.currentTimeMillis()); // before the lock is missing for a short time
    lockAgain();
    history.add(host);
    ReportEncoder.Encoded report = ReportEncoder.encode(host, capacity(maxBytes));
    if (report.bytes().length > file.capacity() && !grow(report.bytes().length)) {
      report = ReportEncoder.encode(host, file.capacity());
    }
    dropped = report.dropped();
    sequence += 2;
    file.put(sequence, report.bytes(), report.bytes().length, host.timeMillis());
    file.heartbeat(System.currentTimeMillis());
  }

  private void checkOpen() {
    if (isClosed) {
      throw new IllegalStateException("the stats file " + path() + " is closed");
    }
  }

  /** Returns the size of the content in a slot of a file of {@code fileBytes}. */
  private static int capacity(int fileBytes) {
    return MappedFile.slotBytes(fileBytes) - Layout.FRAME_HEADER_BYTES;
  }

  /** Returns whether there is a larger file now. A failure is not tried again at once. */
  private boolean grow(int bytes) {
    if (writes < growsAgainAt) {
      return false;
    }
    long size = file.bytes();
    while (capacity((int) size) < bytes && size < maxBytes) {
      size = Math.min(2 * size, maxBytes);
    }
    return replace((int) size, true);
  }

  /** Replaces the file if another process has removed, replaced or truncated it. */
  private void replaceIfGone() throws IOException {
    try {
      if (!file.isAt(path()) && mayReplace()) {
        boolean unused = replace((int) file.bytes(), true);
      }
    } catch (StatsFileException cutOff) {
      if (!mayReplace() || !replace((int) file.bytes(), false)) {
        throw cutOff;
      }
    }
  }

  private void lockAgain() {
    long now = System.nanoTime();
    if (now - lockedNanos >= LOCK_AGAIN_NANOS) {
      lockedNanos = now;
      file.lockAgain();
    }
  }

  private boolean mayReplace() {
    long now = System.nanoTime();
    boolean may = now - replacedNanos >= REPLACE_AGAIN_NANOS;
    replacedNanos = may ? now : replacedNanos;
    return may;
  }

  private void copyContent(MappedFile to) {
    try {
      to.copyContent(file);
    } catch (InternalError cutOff) {
      // The file was truncated before it was removed: only the next report remains.
    }
  }

  /**
   * Replaces the file. The new file appears only with the report in it: see {@link
   * MappedFile#publish}.
   */
  private boolean replace(int bytes, boolean withFrame) {
    try {
      MappedFile larger = newFile(bytes);
      if (withFrame) {
        copyContent(larger);
      }
      larger.heartbeat(System.currentTimeMillis());
      larger.failures(failures);
      publishOrDiscard(larger);
      file.close();
      file = larger;
      history.moveTo(larger.history());
      if (isExiting) {
        larger.exitCleanly();
      }
      return true;
    } catch (IOException | RuntimeException | Error failure) {
      growthFailures++;
      growsAgainAt = writes + PATIENCE;
      return false;
    }
  }

  /**
   * Writes a heartbeat.
   *
   * @throws IOException if the file was truncated, and cannot be replaced
   */
  public void heartbeat() throws IOException {
    checkOpen();
    replaceIfGone();
    file.heartbeat(System.currentTimeMillis()); // before the lock is missing for a short time
    lockAgain();
  }

  /**
   * Writes the number of failed reports, because a report that contains it may never be written.
   */
  public void failures(long count) throws IOException {
    failures = count;
    if (file.isAt(path())) { // otherwise its pages may be invalid
      file.failures(count);
    }
  }

  /** Marks the host as ended while it still runs. For any thread. */
  void exiting() {
    isExiting = true;
    file.exitCleanly(); // a file that replaces it later sees isExiting
  }

  /** Marks the host as ended, and closes the file, which stays. */
  public void exitCleanly() throws IOException {
    if (!isClosed) {
      try {
        heartbeat();
        exiting();
      } finally {
        close();
      }
    }
  }

  /** Closes the file without a mark: it stays, and shows that the host died. */
  @Override
  public void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      OPEN.remove(path().toAbsolutePath());
      file.close();
    }
  }
}

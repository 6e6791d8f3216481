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
 * Writes the stats file of one host: {@code <host id>.cistern} in a directory, which is there from
 * the start and stays when the process is gone. For one thread.
 *
 * <p>The file begins small and grows by being replaced with a larger one, up to a limit; beyond
 * that, details are left out, and counted. While it is open the process holds a lock on it. On
 * POSIX systems a process loses its locks on a file as soon as it closes any descriptor of that
 * file, so the writer takes the lock again with a heartbeat.
 */
public final class StatsFileWriter implements AutoCloseable {
  /** Ending of the files' names. */
  public static final String SUFFIX = ".cistern";

  /** The least limit of a file, in bytes. */
  public static final int MIN_BYTES = 512 << 10;

  /** The largest limit of a file, in bytes; the default. */
  public static final int MAX_BYTES = Layout.MAX_FILE_BYTES;

  private static final int FIRST_BYTES = 512 << 10;

  /** After so many writes it is tried again what failed. */
  private static final int PATIENCE = 64;

  /** Between two attempts to make a file again that is gone. */
  private static final long REPLACE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Between two times that the lock is taken again. */
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

  /** Whether this process writes to a file: which it must not open to see, or it is not locked. */
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
   * Makes the file of a host, without a report yet.
   *
   * @param directory where; a symbolic link to one is refused
   * @param host who it is; its id names the file
   * @param maxBytes the most that the file may grow to, from {@link #MIN_BYTES} to {@link
   *     #MAX_BYTES}
   * @param intervalMillis how often the writer means to write, for who looks whether it is late
   * @throws IOException if it cannot be made
   * @throws IllegalArgumentException if {@code maxBytes} is out of range, or the host's id is not
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

  /** Size of the file now. */
  public long fileBytes() {
    return file.bytes();
  }

  /** Returns the history until now. For any thread. */
  History history() {
    byte[] region = new byte[HistoryRing.BYTES];
    try {
      file.history().get(region);
    } catch (InternalError cutOff) { // the file was truncated
      return History.NONE;
    }
    return HistoryRing.read(region);
  }

  /** Rows and stacks that the last report left out so that it fits; 0 if it is complete. */
  public long rowsDropped() {
    return dropped;
  }

  /** Times that the file had to grow, or to be made again, and could not. */
  long growthFailures() {
    return growthFailures;
  }

  /**
   * Writes a report, and that the host is alive.
   *
   * @throws IOException if it does not fit, however much is left out
   * @throws IllegalStateException if the writer is closed
   */
  public void write(HostView host) throws IOException {
    checkOpen();
    writes++;
    replaceIfGone();
    file.heartbeat(System.currentTimeMillis()); // before the moment without a lock
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

  /** Bytes of content in a slot of a file of {@code fileBytes}. */
  private static int capacity(int fileBytes) {
    return MappedFile.slotBytes(fileBytes) - Layout.FRAME_HEADER_BYTES;
  }

  /** Whether there is a larger file now; a failure is not tried again at once. */
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

  /** Somebody may have removed the file, put another in its place, or cut it off. */
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
      // Somebody did that before removing it: the next report is all there is.
    }
  }

  /** The new file is in place only when the report is in it: see {@link MappedFile#publish}. */
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
   * Writes that the host is alive.
   *
   * @throws IOException if the file was cut off, and cannot be made again
   */
  public void heartbeat() throws IOException {
    checkOpen();
    replaceIfGone();
    file.heartbeat(System.currentTimeMillis()); // before the moment without a lock
    lockAgain();
  }

  /** Writes how often reporting has failed: a report that would say so does not come. */
  public void failures(long count) throws IOException {
    failures = count;
    if (file.isAt(path())) { // otherwise its pages may be gone
      file.failures(count);
    }
  }

  /** Writes that the host ends as it should, while it still goes on. For any thread. */
  void exiting() {
    isExiting = true;
    file.exitCleanly(); // what replaces it after this has seen the field
  }

  /** Writes that the host ends as it should, and closes the file, which stays. */
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

  /** Gives up the file without a word: it stays, and shows a host that died. */
  @Override
  public void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      OPEN.remove(path().toAbsolutePath());
      file.close();
    }
  }
}

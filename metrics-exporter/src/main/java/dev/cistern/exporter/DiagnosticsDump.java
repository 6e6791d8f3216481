/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.util.internal.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes all that is known of a host's buffers to files: metrics, leaks and the live profile, as
 * text, as JSON and for pprof. Each dump is a directory of its own, <code>
 * cistern-dump-<i>pid</i>-<i>UTC time</i>-<i>reason</i></code>, which appears only once it is
 * whole, and which only its owner can read. The oldest are removed.
 *
 * <p>Writing needs no direct memory: it is for the moment when there is none.
 */
public final class DiagnosticsDump {
  /** Another thread is writing a dump, and may wait for its file system. */
  public static final class InProgressException extends IOException {
    private static final long serialVersionUID = 1;

    InProgressException() {
      super("another dump is being written; try again when it has ended");
    }
  }

  /** Dumps that are kept in a directory by default. */
  public static final int DEFAULT_KEPT = 5;

  /** The setting that names the directory, for messages. */
  static final String SETTING = "dumpDirectory";

  private static final long AUTOMATIC_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final System.Logger LOGGER = System.getLogger(DiagnosticsDump.class.getName());

  private final StatsSource source;
  private final DumpFiles files;
  private final Consumer<String> log;
  private final LongSupplier nanoTime;

  /** Set by the thread that begins an automatic dump, and reset when it has ended. */
  private final AtomicBoolean isAutomatic = new AtomicBoolean();

  /** Set while a thread writes a dump of any kind: it may wait for ever for a file system. */
  private final AtomicBoolean isWriting = new AtomicBoolean();

  /**
   * When the last automatic dump began. Written by the thread that has set {@link #isAutomatic}.
   */
  private volatile long lastNanos;

  // Written by any thread that asks for a dump.
  private final LongAdder written = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder skipped = new LongAdder();

  /**
   * A dump into {@code directory}, which is made when it is needed; the last {@link #DEFAULT_KEPT}
   * are kept. A failure is a line in the log of {@link System.Logger}.
   */
  public DiagnosticsDump(Path directory, StatsSource source) {
    this(directory, source, DEFAULT_KEPT, line -> LOGGER.log(System.Logger.Level.WARNING, line));
  }

  /**
   * @param directory where the dumps go; made when it is needed
   * @param source what to dump
   * @param kept dumps that are kept in that directory; older ones are removed
   * @param log takes one line for each failure
   * @throws IllegalArgumentException if {@code kept} is less than 1
   */
  public DiagnosticsDump(Path directory, StatsSource source, int kept, Consumer<String> log) {
    this(directory, source, kept, log, System::nanoTime);
  }

  DiagnosticsDump(
      Path directory, StatsSource source, int kept, Consumer<String> log, LongSupplier nanoTime) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept: " + kept + " (expected: 1 or more dumps)");
    }
    this.source = source;
    this.files = new DumpFiles(directory, kept);
    this.log = log;
    this.nanoTime = nanoTime;
    this.lastNanos = nanoTime.getAsLong() - AUTOMATIC_INTERVAL_NANOS;
  }

  /**
   * Writes one dump of a report; nothing is removed.
   *
   * @param reason why, in a few words; part of the name
   * @return the directory of the dump
   * @throws IOException if it could not be written; then nothing of it is left
   */
  public static Path write(Path directory, HostReport report, String reason) throws IOException {
    return new DumpFiles(directory, Integer.MAX_VALUE).write(report, reason);
  }

  /**
   * Writes a dump now, and removes the oldest.
   *
   * @param reason why, in a few words; part of the name
   * @return the directory of the dump
   * @throws InProgressException if another thread writes a dump, which is counted as skipped
   * @throws IOException if it could not be written, which is counted and logged too
   */
  public Path write(String reason) throws IOException {
    if (!isWriting.compareAndSet(false, true)) {
      skipped.increment();
      throw new InProgressException();
    }
    try {
      return writeAlone(reason);
    } finally {
      isWriting.set(false);
    }
  }

  private Path writeAlone(String reason) throws IOException {
    Path dump;
    try {
      dump = files.write(source.report(), reason);
    } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
      failures.increment();
      log.accept("cannot write a dump to " + files.directory() + ": " + e);
      throw e instanceof IOException io ? io : new IOException("the pools cannot be asked", e);
    }
    written.increment();
    try {
      files.removeOldest();
    } catch (IOException | RuntimeException e) {
      failures.increment();
      log.accept("cannot remove old dumps from " + files.directory() + ": " + e);
    }
    return dump;
  }

  /**
   * Has a dump written soon, by a thread of its own, unless another automatic dump began less than
   * a minute ago. Never fails, and does not wait: it can be called where memory has just run out.
   *
   * @return whether a dump is being written now because of this call
   */
  public boolean writeSoon(String reason) {
    if (!begin()) {
      skipped.increment();
      return false;
    }
    try {
      DaemonThreads.create("cistern-dump", () -> writeAutomatically(reason)).start();
      return true;
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      failures.increment();
      isAutomatic.set(false);
      return false;
    }
  }

  private boolean begin() {
    if (isWriting.get() || !isAutomatic.compareAndSet(false, true)) {
      return false;
    }
    if (nanoTime.getAsLong() - lastNanos < AUTOMATIC_INTERVAL_NANOS) {
      isAutomatic.set(false);
      return false;
    }
    lastNanos = nanoTime.getAsLong();
    return true;
  }

  private void writeAutomatically(String reason) {
    try {
      Path dump = write(reason);
      log.accept("dumped the state of the buffers to " + dump + " (" + reason + ")");
    } catch (IOException e) {
      // Counted and logged.
    } finally {
      isAutomatic.set(false);
    }
  }

  /** Returns the number of dumps that were written. */
  public long written() {
    return written.sum();
  }

  /** Returns the number of dumps that could not be written, or after which old ones stayed. */
  public long failures() {
    return failures.sum();
  }

  /**
   * Returns the number of dumps that were left out: automatic ones because one had begun less than
   * a minute before, others because one was being written.
   */
  public long skipped() {
    return skipped.sum();
  }
}

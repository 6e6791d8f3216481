/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.dump;

import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.util.internal.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes all that is known of a host's buffers to files: metrics, leaks and the live profile, as
 * text, as JSON and for pprof. Each dump is a directory of its own, <code>
 * cistern-dump-<i>pid</i>-<i>host id</i>-<i>UTC time</i>-<i>kind</i>-<i>reason</i></code> with the
 * kind {@code auto} or {@code request}, which appears only once it is whole, and which only its
 * owner can read.
 *
 * <p>Of each process, the first automatic dump stays, which shows the onset of the trouble, and so
 * do the latest automatic ones and the latest on request. No process removes dumps of another that
 * runs. Of processes that have ended, the dumps of the ten that wrote last stay, so that a process
 * that starts again and again does not fill the disk.
 *
 * <p>Writing needs no direct memory: it is for the moment when there is none.
 */
public final class DiagnosticsDump implements ExporterState.Source {
  /** Another thread is writing a dump, and may wait for its file system. */
  public static final class InProgressException extends IOException {
    private static final long serialVersionUID = 1;

    InProgressException() {
      super("another dump is being written; try again when it has ended");
    }
  }

  /** Number of dumps of each kind that are kept of a process by default, without the first. */
  public static final int DEFAULT_KEPT = 4;

  /** The setting that names the directory, for messages. */
  public static final String SETTING = "dumpDirectory";

  private static final long AUTOMATIC_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final System.Logger LOGGER = System.getLogger(DiagnosticsDump.class.getName());

  private final Path directory;
  private final StatsSource source;

  /** Used by the thread that has set {@link #isWriting}. */
  private final DumpRetention retention;

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
   * A dump into {@code directory}, which is made when it is needed, with {@link #DEFAULT_KEPT}
   * dumps of each kind. A failure is a line in the log of {@link System.Logger}.
   */
  public DiagnosticsDump(Path directory, StatsSource source) {
    this(directory, source, DEFAULT_KEPT, line -> LOGGER.log(System.Logger.Level.WARNING, line));
  }

  /**
   * @param directory where the dumps go; made when it is needed
   * @param source what to dump
   * @param kept number of automatic dumps of this process that are kept beside the first, and of
   *     its dumps on request; the oldest others are removed
   * @param log takes one line for each failure
   * @throws IllegalArgumentException if {@code kept} is less than 1
   */
  public DiagnosticsDump(Path directory, StatsSource source, int kept, Consumer<String> log) {
    this(directory, source, kept, log, System::nanoTime);
  }

  public DiagnosticsDump(
      Path directory, StatsSource source, int kept, Consumer<String> log, LongSupplier nanoTime) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept: " + kept + " (expected: 1 or more dumps)");
    }
    this.directory = directory;
    this.source = source;
    this.retention = new DumpRetention(directory, kept);
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
    return DumpFiles.write(
        directory,
        DumpName.now(DumpName.process(report), false, reason),
        HostView.of(report),
        Map.of());
  }

  /**
   * Writes a dump on request now, and removes those that make room for it.
   *
   * @param reason why, in a few words; part of the name
   * @return the directory of the dump
   * @throws InProgressException if another thread writes a dump, which is counted as skipped
   * @throws IOException if it could not be written, which is counted and logged too
   */
  public Path write(String reason) throws IOException {
    return write(reason, false);
  }

  private Path write(String reason, boolean isAutomatic) throws IOException {
    if (!isWriting.compareAndSet(false, true)) {
      skipped.increment();
      throw new InProgressException();
    }
    try {
      return writeAlone(reason, isAutomatic);
    } finally {
      isWriting.set(false);
    }
  }

  private Path writeAlone(String reason, boolean isAutomatic) throws IOException {
    Path dump;
    String process;
    try {
      HostReport report = source.report();
      process = DumpName.process(report);
      String name = DumpName.now(process, isAutomatic, reason);
      dump = DumpFiles.write(directory, name, HostView.of(report), source.allocations());
    } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
      failures.increment();
      log.accept("cannot write a dump to " + directory + ": " + e);
      throw e instanceof IOException io ? io : new IOException("the pools cannot be asked", e);
    }
    written.increment();
    try {
      retention.add(dump, process, isAutomatic);
    } catch (IOException | RuntimeException e) {
      failures.increment();
      log.accept("cannot remove old dumps from " + directory + ": " + e);
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
      lastNanos = nanoTime.getAsLong() - AUTOMATIC_INTERVAL_NANOS; // the onset is not written yet
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
      Path dump = write(reason, true);
      log.accept("dumped the state of the buffers to " + dump + " (" + reason + ")");
    } catch (IOException e) {
      // Counted and logged.
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      failures.increment();
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

  /** Returns the number of dumps that were removed to make room for others. */
  public long removed() {
    return retention.removed();
  }

  /**
   * Returns the number of dumps that were left out: automatic ones because one had begun less than
   * a minute before, others because one was being written.
   */
  public long skipped() {
    return skipped.sum();
  }

  @Override
  public void addTo(ExporterState state) {
    state.set(ExporterFigures.DUMPS, written());
    state.set(ExporterFigures.DUMP_FAILURES, failures());
    state.set(ExporterFigures.DUMPS_SKIPPED, skipped());
    state.set(ExporterFigures.DUMPS_REMOVED, removed());
  }
}

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
 * Writer of dumps: files with all that is known of a host's buffers. A dump has metrics, leaks and
 * the live profile, as text, as JSON and for pprof. Each dump is a directory: <code>
 * cistern-dump-<i>pid</i>-<i>host id</i>-<i>UTC time</i>-<i>kind</i>-<i>reason</i></code>, with the
 * kind {@code auto} or {@code request}. The directory appears when the dump is complete, and only
 * its owner can read it.
 *
 * <p>This process keeps its first automatic dump, which shows the onset of the problem, its latest
 * automatic dumps, and its latest dumps on request. No process removes dumps of another running
 * process. Among the processes that have ended, the ten that wrote last keep their dumps. The limit
 * prevents a process that restarts repeatedly from filling the disk.
 *
 * <p>Writing needs no direct memory, because a dump is often written when there is none left.
 */
public final class DiagnosticsDump implements ExporterState.Source {
  /** Thrown if another thread is writing a dump. That thread can be blocked by its file system. */
  public static final class InProgressException extends IOException {
    private static final long serialVersionUID = 1;

    InProgressException() {
      super("another dump is being written; try again when it has ended");
    }
  }

  /**
   * Default number of dumps of each kind that a process keeps, besides the first automatic dump.
   */
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

  /** Set by the thread that begins an automatic dump, and reset when the dump has ended. */
  private final AtomicBoolean isAutomatic = new AtomicBoolean();

  /**
   * Set while a thread writes a dump of any kind. A file system can block that thread indefinitely.
   */
  private final AtomicBoolean isWriting = new AtomicBoolean();

  /**
   * Start time of the last automatic dump. Written by the thread that has set {@link #isAutomatic}.
   */
  private volatile long lastNanos;

  // Counters of dumps. Written by any thread that requests a dump.
  private final LongAdder written = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder skipped = new LongAdder();

  /**
   * Creates a writer of dumps into {@code directory}, with {@link #DEFAULT_KEPT} dumps of each
   * kind. The directory is created when the first dump is written. A failure is logged by a {@link
   * System.Logger}.
   */
  public DiagnosticsDump(Path directory, StatsSource source) {
    this(directory, source, DEFAULT_KEPT, line -> LOGGER.log(System.Logger.Level.WARNING, line));
  }

  /**
   * Creates a writer of dumps.
   *
   * @param directory directory for the dumps; created when it is needed
   * @param source source of the reports
   * @param kept number of automatic dumps of this process to keep besides the first, and of its
   *     dumps on request; older dumps are removed
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
   * @param reason cause of the dump in a few words; part of the name
   * @return the directory of the dump
   * @throws IOException if the dump could not be written; then no part of it remains
   */
  public static Path write(Path directory, HostReport report, String reason) throws IOException {
    return DumpFiles.write(
        directory,
        DumpName.now(DumpName.process(report), false, reason),
        HostView.of(report),
        Map.of());
  }

  /**
   * Writes a dump on request now, and removes old dumps to make room for it.
   *
   * @param reason cause of the dump in a few words; part of the name
   * @return the directory of the dump
   * @throws InProgressException if another thread is writing a dump; this dump then counts as
   *     skipped
   * @throws IOException if the dump could not be written; the failure is also counted and logged
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
      throw e instanceof IOException io ? io : new IOException("the pools cannot be read", e);
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
   * Starts a thread that writes a dump, unless another automatic dump began less than a minute ago.
   * Never fails or blocks, so it can be called when memory has just run out.
   *
   * @return whether this call started a dump
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
      lastNanos = nanoTime.getAsLong() - AUTOMATIC_INTERVAL_NANOS; // the onset is still missing
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
      // The failure is already counted and logged.
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

  /**
   * Returns the number of dumps that could not be written, or after which old dumps could not be
   * removed.
   */
  public long failures() {
    return failures.sum();
  }

  /** Returns the number of dumps that were removed to make room for newer dumps. */
  public long removed() {
    return retention.removed();
  }

  /**
   * Returns the number of skipped dumps. An automatic dump is skipped if the previous one began
   * less than a minute earlier. A dump of any kind is skipped while another is being written.
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

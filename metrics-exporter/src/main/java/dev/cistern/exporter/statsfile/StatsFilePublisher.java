/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.StatsFileReport;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.util.internal.DaemonThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publisher that writes the reports of a source to a stats file at an interval. It uses a separate
 * thread, so that a file system that hangs blocks no other thread. When the JVM begins to shut
 * down, it marks the host as ended at once and writes a report. It continues until the process
 * ends, because the host's own shutdown hooks may take time. {@link #close} writes a last report
 * and closes the file.
 *
 * <p>Every failure is counted; the first is logged.
 */
public final class StatsFilePublisher implements Runnable, AutoCloseable {
  /** Maximum time that the end of a JVM waits for the last report. */
  private static final long LAST_WRITE_MILLIS = 1_000;

  /**
   * Factor of the rest after a report, so that reports take up to a twentieth of a processor. The
   * rest is not longer than the interval, because a slow report may be the last one before the
   * host's death.
   */
  private static final long REST_FACTOR = 20;

  /**
   * Maximum time between two heartbeats, for any interval, because a host without one for 3 s may
   * count as ended.
   */
  private static final long HEARTBEAT_MILLIS = 1_000;

  /** Time after a failure to create the file. */
  private static final long NEXT_ATTEMPT_MILLIS = 60_000;

  private final StatsFileOptions options;
  private final StatsSource source;
  private final HostIdentity host;
  private final Consumer<String> log;
  private final Thread thread;
  private final Thread hook;
  private final CountDownLatch lastReport = new CountDownLatch(1);

  /** Whether the JVM is shutting down, or this object is closed. */
  private volatile boolean isEnding;

  private volatile boolean isClosed;

  /** Whether to write a report without a rest. */
  private volatile boolean isWoken;

  /** Whether to write a report as soon as the rest of the last one is over. */
  private volatile boolean isHurried;

  private volatile StatsFileReport state = StatsFileReport.NONE;

  /** Written by the publishing thread, as all fields below. */
  private volatile @Nullable StatsFileWriter writer;

  private long writes;
  private long failures;
  private boolean isFailureLogged;

  private StatsFilePublisher(
      StatsFileOptions options, StatsSource source, HostIdentity host, Consumer<String> log) {
    this.options = options;
    this.source = source;
    this.host = host;
    this.log = log;
    this.thread = DaemonThreads.create("cistern-stats-file", this);
    this.hook = DaemonThreads.create("cistern-stats-file-end", this::end);
  }

  /**
   * Starts writing in a separate thread.
   *
   * @param source source of the reports
   * @param host identity of the host, as in the reports
   * @param log takes one line if writing fails
   */
  public static StatsFilePublisher start(
      StatsFileOptions options, StatsSource source, HostIdentity host, Consumer<String> log) {
    StatsFilePublisher publisher = new StatsFilePublisher(options, source, host, log);
    try {
      Runtime.getRuntime().addShutdownHook(publisher.hook);
    } catch (IllegalStateException | SecurityException shutsDown) {
      // Without the hook, the file will show that the host died.
    }
    publisher.thread.start();
    return publisher;
  }

  /** Returns the figures of the writing. For any thread. */
  public StatsFileReport state() {
    return state;
  }

  /** Returns whether there is a file, which has a history. For any thread. */
  public boolean hasHistory() {
    return writer != null;
  }

  /** Returns the history that the file has; null if there is no file. For any thread. */
  public @Nullable History history() {
    StatsFileWriter known = writer;
    return known == null ? null : known.history();
  }

  @Override
  public void run() {
    while (!isClosed) {
      isWoken = false;
      isHurried = false;
      boolean isLast = isEnding;
      long start = System.nanoTime();
      tryWrite();
      if (isLast) {
        lastReport.countDown();
      }
      long taken = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      long atLeast = Math.min(taken * REST_FACTOR, options.intervalMillis());
      if (writer == null) {
        rest(NEXT_ATTEMPT_MILLIS, false);
      } else {
        rest(atLeast, false);
        rest(options.intervalMillis() - taken - atLeast, true);
      }
    }
    tryEnd();
  }

  /**
   * Waits until the next report. Writes a heartbeat once a second, or in each interval, however
   * long the wait is.
   */
  private void rest(long millis, boolean endsInHurry) {
    long step = Math.min(options.intervalMillis(), HEARTBEAT_MILLIS);
    long left = millis;
    while (left > step && !isOver(endsInHurry)) {
      waitFor(step, endsInHurry);
      tryHeartbeat();
      left -= step;
    }
    waitFor(left, endsInHurry);
  }

  private boolean isOver(boolean endsInHurry) {
    return isWoken || isClosed || (endsInHurry && isHurried);
  }

  private void tryHeartbeat() {
    StatsFileWriter known = writer;
    if (known != null) {
      try {
        known.heartbeat();
      } catch (Throwable failure) {
        survive(failure);
        tellState();
      }
    }
  }

  private void waitFor(long millis, boolean endsInHurry) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left; !isOver(endsInHurry) && (left = end - System.nanoTime()) > 0; ) {
      boolean unused = Thread.interrupted(); // hosts interrupt all threads: parking would spin
      LockSupport.parkNanos(this, left);
    }
  }

  private void tryWrite() {
    try {
      write();
      writes++;
    } catch (Throwable failure) {
      survive(failure);
    } finally {
      tellState();
    }
  }

  private void write() throws IOException {
    StatsFileWriter known = writer;
    if (known == null) {
      prepareDirectory();
      known =
          StatsFileWriter.create(
              options.directory(), host, options.maxBytes(), options.intervalMillis());
      writer = known;
      if (isEnding) {
        known.exiting();
      }
    }
    try {
      known.write(HostView.of(source.report().withStatsFile(state)));
    } catch (Throwable failure) {
      tryHeartbeat();
      throw failure;
    }
  }

  private void prepareDirectory() throws IOException {
    if (!options.isUserDirectory()) {
      Files.createDirectories(options.directory());
      return;
    }
    UserDirectory.makeForUser(options.directory());
    try {
      DeadFiles.remove(options.directory(), System.currentTimeMillis());
    } catch (IOException | RuntimeException untidy) {
      failures++;
    }
  }

  private void tellState() {
    StatsFileWriter known = writer;
    state =
        known == null
            ? new StatsFileReport(writes, failures, 0, 0)
            : new StatsFileReport(
                writes, failures + known.growthFailures(), known.fileBytes(), known.rowsDropped());
  }

  private void survive(Throwable failure) {
    failures++;
    StatsFileWriter known = writer;
    if (known != null) {
      try {
        known.failures(failures + known.growthFailures());
      } catch (Throwable alsoFailed) {
        // The file was truncated between the check and the write.
      }
    }
    if (!isFailureLogged) {
      isFailureLogged = true;
      try {
        log.accept(
            "stats file in "
                + options.directory()
                + ": "
                + failure
                + "; Cistern continues, and tries to write again");
      } catch (Throwable alsoFailed) {
        // A failed log has no other place to report to.
      }
    }
  }

  /** Closes the file after the last report was written, or has failed. */
  private void tryEnd() {
    StatsFileWriter known = writer;
    if (known != null) {
      try {
        known.exitCleanly();
      } catch (Throwable failure) {
        survive(failure);
      }
    }
  }

  /**
   * Marks the host as ended, even while a report is being written. Then requests another report,
   * and waits for it for a limited time.
   */
  private void end() {
    isEnding = true;
    StatsFileWriter known = writer; // a writer created later sees isEnding
    if (known == null) {
      return;
    }
    try {
      known.exiting();
    } catch (Throwable cutOff) {
      // The publishing thread has the same failure, and counts it.
    }
    wake();
    try {
      boolean unused = lastReport.await(LAST_WRITE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Requests a report before the interval is over, because a new finding may precede the host's
   * death. All such reports together take up to a twentieth of a processor. Has no effect without a
   * file. For any thread; returns at once.
   */
  public void writeSoon() {
    isHurried = true;
    LockSupport.unpark(thread);
  }

  private void wake() {
    isWoken = true;
    LockSupport.unpark(thread);
  }

  /** Writes the last report and ends; the file stays. */
  @Override
  public void close() {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shutsDown) {
      // The hook already runs: it ends first, or finds a closed file.
    }
    end();
    isClosed = true;
    wake();
    try {
      thread.join(LAST_WRITE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

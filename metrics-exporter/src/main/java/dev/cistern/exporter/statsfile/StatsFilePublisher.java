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
 * Writes what a source reports to a stats file, again and again, on a thread of its own: a file
 * system that stalls holds up nothing else. When the JVM shuts down it says at once that the host
 * ends as it should, writes once more, and goes on until the process is gone: the host's own
 * shutdown hooks may take their time. At {@link #close} it writes once more and gives up the file.
 *
 * <p>Whatever fails is counted, and said once.
 */
public final class StatsFilePublisher implements Runnable, AutoCloseable {
  /** The end of a JVM waits no longer for the last report. */
  private static final long LAST_WRITE_MILLIS = 1_000;

  /**
   * A report takes no more than a twentieth of a processor, as long as that rest is no longer than
   * the interval: what takes long may be what comes before the host's death.
   */
  private static final long REST_FACTOR = 20;

  /** Between two heartbeats, however long the interval: without one for 3 s a host may be dead. */
  private static final long HEARTBEAT_MILLIS = 1_000;

  /** After a failure to make the file. */
  private static final long NEXT_ATTEMPT_MILLIS = 60_000;

  private final StatsFileOptions options;
  private final StatsSource source;
  private final HostIdentity host;
  private final Consumer<String> log;
  private final Thread thread;
  private final Thread hook;
  private final CountDownLatch lastReport = new CountDownLatch(1);

  /** Whether the JVM shuts down, or this is closed. */
  private volatile boolean isEnding;

  private volatile boolean isClosed;

  /** Whether a report is to be written without rest. */
  private volatile boolean isWoken;

  /** Whether one is to be written as soon as the last has been paid for by its rest. */
  private volatile boolean isHurried;

  private volatile StatsFileReport state = StatsFileReport.NONE;

  /** Written by the thread, as all below. */
  private volatile @Nullable StatsFileWriter writer;

  private long writes;
  private long failures;
  private boolean isToldOf;

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
   * Begins to write, on a thread of its own.
   *
   * @param source what to write
   * @param host whose file it is: that of the reports
   * @param log takes one line if writing fails
   */
  public static StatsFilePublisher start(
      StatsFileOptions options, StatsSource source, HostIdentity host, Consumer<String> log) {
    StatsFilePublisher publisher = new StatsFilePublisher(options, source, host, log);
    try {
      Runtime.getRuntime().addShutdownHook(publisher.hook);
    } catch (IllegalStateException | SecurityException shutsDown) {
      // The file will show a host that died.
    }
    publisher.thread.start();
    return publisher;
  }

  /** How the writing goes; for any thread. */
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

  /** Writes a heartbeat once a second, or in each interval, however long the rest is. */
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
      boolean unused = Thread.interrupted(); // by a host that interrupts all: parking would spin
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
    UserDirectory.makeOwn(options.directory());
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
        // The file was cut off between the check and the write.
      }
    }
    if (!isToldOf) {
      isToldOf = true;
      try {
        log.accept(
            "stats file in "
                + options.directory()
                + ": "
                + failure
                + "; everything else runs, and writing is tried again");
      } catch (Throwable alsoFailed) {
        // nobody to tell
      }
    }
  }

  /** The last report is written, or it failed. */
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
   * Says that the host ends, which counts also where a report takes long; has one more written, and
   * waits for that a moment.
   */
  private void end() {
    isEnding = true;
    StatsFileWriter known = writer; // one that is made after this has seen the field
    if (known == null) {
      return;
    }
    try {
      known.exiting();
    } catch (Throwable cutOff) {
      // The thread finds it, too, and counts it.
    }
    wake();
    try {
      boolean unused = lastReport.await(LAST_WRITE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Has a report written before the interval is over: what has just been found may be what comes
   * before the host's death. All such reports together, too, take no more than a twentieth of a
   * processor, and without a file nothing is hurried. For any thread; returns at once.
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
      // The hook finds a file that is closed, or goes first.
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

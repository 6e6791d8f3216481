/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import dev.cistern.agent.netty.CommandSource;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.util.internal.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads commands on a separate thread: the agent's thread maintains the pools, and must not block
 * on a file system that hangs. Only the agent's thread calls this class, except for {@link
 * #refuse}.
 */
public final class CommandReader implements CommandSource, AutoCloseable {
  /**
   * Limits the wait for a reading. After a slow reading there is no wait until a reading is fast
   * again.
   */
  private static final long MAX_WAIT_MILLIS = 2_000;

  private static final long FAST_MILLIS = 100;

  /** A reading that takes longer is reported. */
  private static final long REPORT_MILLIS = 5_000;

  private final CommandSource source;
  private final long maxWaitMillis;
  private final long reportMillis;
  private @Nullable ExecutorService executor;

  /** The reading that has not ended yet, or null. */
  private @Nullable Future<Reading> pending;

  private long startNanos;

  /** Commands that arrived another way since that reading began. */
  private final List<ModeCommand> later = new ArrayList<>();

  private boolean isSlow;

  /** Whether the current failure or delay is already reported. */
  private boolean isReported;

  /** Result of a reading, and its duration. */
  private record Reading(List<ModeCommand> commands, long millis) {}

  /** Creates a reader whose thread starts at the first {@link #poll}. */
  public CommandReader(CommandSource source) {
    this(source, MAX_WAIT_MILLIS, REPORT_MILLIS);
  }

  CommandReader(CommandSource source, long maxWaitMillis, long reportMillis) {
    this.source = source;
    this.maxWaitMillis = maxWaitMillis;
    this.reportMillis = reportMillis;
  }

  @Override
  public List<ModeCommand> poll() {
    try {
      Future<Reading> running = pending == null ? start() : pending;
      long wait = isSlow ? 0 : Math.max(0, maxWaitMillis - millisSince(startNanos));
      Reading reading = running.get(wait, TimeUnit.MILLISECONDS);
      pending = null;
      isReported = false;
      isSlow = reading.millis > FAST_MILLIS;
      return inOrder(reading.commands);
    } catch (TimeoutException slow) {
      isSlow = true;
      if (millisSince(startNanos) >= reportMillis) {
        report("its file system has not answered for " + millisSince(startNanos) / 1_000 + " s");
      }
    } catch (InterruptedException byHost) {
      // ignored: some hosts interrupt all threads
    } catch (ExecutionException failed) {
      pending = null;
      report(String.valueOf(failed.getCause()));
    } catch (Throwable noThread) {
      report(noThread.toString());
    }
    return List.of();
  }

  private Future<Reading> start() {
    if (executor == null) {
      // not newSingleThreadExecutor: its finalizer would keep the agent's classes after a
      // detachment
      executor =
          Executors.newFixedThreadPool(
              1, task -> DaemonThreads.create("cistern-agent-control", task));
    }
    later.clear();
    startNanos = System.nanoTime();
    Future<Reading> running = executor.submit(this::read);
    pending = running;
    return running;
  }

  private Reading read() {
    long start = System.nanoTime();
    return new Reading(source.poll(), millisSince(start));
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  /**
   * Appends the commands that arrived another way since the reading began, because they are later.
   */
  private List<ModeCommand> inOrder(List<ModeCommand> read) {
    if (read.isEmpty() || later.isEmpty()) {
      return read;
    }
    List<ModeCommand> all = new ArrayList<>(read);
    all.addAll(later);
    return all;
  }

  private void report(String trouble) {
    if (!isReported) {
      isReported = true;
      source.refuse("control file: " + trouble + "; no command by file has an effect");
    }
  }

  @Override
  public void carriedOut(ModeCommand command) {
    if (pending != null) {
      later.add(command);
    }
  }

  @Override
  public void refuse(String reason) {
    source.refuse(reason);
  }

  /** Ends the thread as soon as its file system answers. */
  @Override
  public void close() {
    if (executor != null) {
      List<Runnable> unused = executor.shutdownNow();
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import dev.cistern.agent.netty.CommandSource;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.util.internal.DaemonThreads;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads commands on a thread of its own: a file system that hangs holds up the agent's thread once,
 * for two seconds, and then only these commands. The agent's thread calls all but {@link #refuse}.
 */
public final class CommandReader implements CommandSource, AutoCloseable {
  /** Limits the wait of the agent's thread for a reading. */
  private static final long MAX_WAIT_MILLIS = 2_000;

  /** A reading that takes longer is reported. */
  private static final long SLOW_MILLIS = 5_000;

  private final CommandSource source;
  private final long maxWaitMillis;
  private final long slowMillis;
  private @Nullable ExecutorService executor;

  /** The reading that has not ended yet, or null. */
  private @Nullable Future<List<ModeCommand>> pending;

  private long startNanos;

  /** Whether a later command has come another way since that reading began. */
  private boolean isSuperseded;

  /** Whether the present trouble is reported. */
  private boolean isReported;

  /** Starts its thread at the first {@link #poll}. */
  public CommandReader(CommandSource source) {
    this(source, MAX_WAIT_MILLIS, SLOW_MILLIS);
  }

  CommandReader(CommandSource source, long maxWaitMillis, long slowMillis) {
    this.source = source;
    this.maxWaitMillis = maxWaitMillis;
    this.slowMillis = slowMillis;
  }

  @Override
  public List<ModeCommand> poll() {
    try {
      Future<List<ModeCommand>> reading = pending == null ? start() : pending;
      long wait = Math.max(0, maxWaitMillis - millis());
      List<ModeCommand> commands = reading.get(wait, TimeUnit.MILLISECONDS);
      pending = null;
      isReported = false;
      return isSuperseded ? refuseAll(commands) : commands;
    } catch (TimeoutException slow) {
      if (millis() >= slowMillis) {
        report("its file system has not answered for " + millis() / 1_000 + " s");
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

  private Future<List<ModeCommand>> start() {
    if (executor == null) {
      executor =
          Executors.newSingleThreadExecutor(
              task -> DaemonThreads.create("cistern-agent-control", task));
    }
    startNanos = System.nanoTime();
    isSuperseded = false;
    Future<List<ModeCommand>> reading = executor.submit(source::poll);
    pending = reading;
    return reading;
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  private List<ModeCommand> refuseAll(List<ModeCommand> commands) {
    for (ModeCommand each : commands) {
      source.refuse(each.describe() + "a later command has come while the file was read");
    }
    return List.of();
  }

  private void report(String trouble) {
    if (!isReported) {
      isReported = true;
      source.refuse("control file: " + trouble + "; no command by file has an effect");
    }
  }

  @Override
  public void supersede() {
    isSuperseded = true;
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import dev.cistern.agent.netty.CommandSource;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.util.internal.DaemonThreads;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads commands on a thread of its own: a file system that hangs delays only these commands. The
 * agent's thread calls it.
 */
public final class CommandReader implements CommandSource, AutoCloseable {
  /** Limits the wait for a source. What it returns later is the result of a later call. */
  private static final long MAX_WAIT_MILLIS = 100;

  /** A source that takes longer is reported. */
  private static final long SLOW_SECONDS = 5;

  private final CommandSource source;
  private final long slowSeconds;
  private @Nullable ExecutorService executor;

  /** The call of the source that has not returned yet, or null. */
  private @Nullable Future<List<ModeCommand>> pending;

  private long startNanos;
  private boolean isReported;

  /** Starts its thread at the first {@link #poll}. */
  public CommandReader(CommandSource source) {
    this(source, SLOW_SECONDS);
  }

  CommandReader(CommandSource source, long slowSeconds) {
    this.source = source;
    this.slowSeconds = slowSeconds;
  }

  // records and no lambdas: the first lambda of a JVM costs time

  private record OwnThread() implements ThreadFactory {
    @Override
    public Thread newThread(Runnable task) {
      return DaemonThreads.create("cistern-agent-control", task);
    }
  }

  private record Reading(CommandSource source) implements Callable<List<ModeCommand>> {
    @Override
    public List<ModeCommand> call() {
      return source.poll();
    }
  }

  @Override
  public List<ModeCommand> poll() {
    try {
      Future<List<ModeCommand>> reading = pending;
      long wait = 0;
      if (reading == null) {
        reading = start();
        wait = MAX_WAIT_MILLIS;
      }
      List<ModeCommand> commands = reading.get(wait, TimeUnit.MILLISECONDS);
      pending = null;
      return commands;
    } catch (TimeoutException slow) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
      if (!isReported && seconds >= slowSeconds) {
        isReported = true;
        source.refuse(
            "control file: its file system has not answered for "
                + seconds
                + " s; no command by file has an effect");
      }
    } catch (InterruptedException byHost) {
      // ignored: some hosts interrupt all threads
    } catch (Throwable failed) { // no memory, or no further thread
      pending = null;
      source.refuse("control file: not read, because of " + failed);
    }
    return List.of();
  }

  private Future<List<ModeCommand>> start() {
    if (executor == null) {
      executor = Executors.newSingleThreadExecutor(new OwnThread());
    }
    Future<List<ModeCommand>> reading = executor.submit(new Reading(source));
    pending = reading;
    startNanos = System.nanoTime();
    isReported = false;
    return reading;
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

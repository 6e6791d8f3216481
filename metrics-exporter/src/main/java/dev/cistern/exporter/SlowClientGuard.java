/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.util.DaemonThreads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the exchanges of the JDK's HTTP server on a few daemon threads, and ends those whose client
 * is too slow.
 *
 * <p>The server reads and writes with blocking calls and has its time limits only in system
 * properties, which would change every other such server in the host. But its channels close when
 * their thread is interrupted; so a thread that waits too long for its client is interrupted, and
 * never one that is working for it.
 */
final class SlowClientGuard implements Executor, AutoCloseable {
  private static final int THREADS = 4;
  private static final long CHECK_INTERVAL_MILLIS = 100;
  private static final long CLIENT_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** While others wait for a thread, a client gets less time. */
  private static final long BUSY_CLIENT_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long IDLE_THREAD_SECONDS = 30;

  private final ThreadPoolExecutor workers;
  private final Thread watch;
  private final long clientLimitNanos;

  /** What each worker runs now. Changed by that worker, read by the watch. */
  private final Map<Thread, Exchange> running = new ConcurrentHashMap<>();

  SlowClientGuard() {
    this(CLIENT_LIMIT_NANOS);
  }

  SlowClientGuard(long clientLimitNanos) {
    this.clientLimitNanos = clientLimitNanos;
    workers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> DaemonThreads.create("cistern-exporter", task));
    workers.allowCoreThreadTimeOut(true);
    watch = DaemonThreads.create("cistern-exporter-watch", this::watch);
    watch.start();
  }

  @Override
  public void execute(Runnable exchange) {
    workers.execute(() -> run(exchange));
  }

  private void run(Runnable task) {
    Exchange exchange = new Exchange(Thread.currentThread());
    running.put(Thread.currentThread(), exchange);
    try {
      task.run();
    } finally {
      running.remove(Thread.currentThread());
      exchange.end();
    }
  }

  /** The calling worker has read its request and works: not the client's fault if it takes long. */
  void working() {
    Exchange exchange = running.get(Thread.currentThread());
    if (exchange != null) {
      exchange.working();
    }
  }

  /** The calling worker waits for its client again. */
  void writing() {
    Exchange exchange = running.get(Thread.currentThread());
    if (exchange != null) {
      exchange.waiting();
    }
  }

  private void watch() {
    try {
      while (!workers.isShutdown()) {
        Thread.sleep(CHECK_INTERVAL_MILLIS);
        long limitNanos =
            workers.getQueue().isEmpty()
                ? clientLimitNanos
                : Math.min(clientLimitNanos, BUSY_CLIENT_LIMIT_NANOS);
        running.values().forEach(exchange -> exchange.endIfWaiting(limitNanos));
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  @Override
  public void close() {
    workers.shutdownNow();
    watch.interrupt();
  }

  /** One exchange on one worker. Its lock orders an interrupt before the worker's next exchange. */
  private static final class Exchange {
    private final Thread worker;
    private long waitingSinceNanos = System.nanoTime();
    private boolean waiting = true;

    Exchange(Thread worker) {
      this.worker = worker;
    }

    /** Called by the worker itself: an interrupt that came at the last moment must not reach on. */
    synchronized void working() {
      waiting = false;
      Thread.interrupted();
    }

    synchronized void waiting() {
      waiting = true;
      waitingSinceNanos = System.nanoTime();
    }

    synchronized void endIfWaiting(long limitNanos) {
      if (waiting && System.nanoTime() - waitingSinceNanos > limitNanos) {
        waiting = false;
        worker.interrupt();
      }
    }

    /** Called by the worker itself, whose interrupt belongs to this exchange only. */
    synchronized void end() {
      waiting = false;
      Thread.interrupted();
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.EndpointFigures.Refusal;
import dev.cistern.util.DaemonThreads;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
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
 *
 * <p>Few exchanges work at a time; more may wait for their clients. The more have no thread, the
 * less time each client has: what an honest one sends comes at once, and many that do not are soon
 * gone.
 */
final class SlowClientGuard implements Executor, AutoCloseable {
  /** Pages that are made at a time. */
  private static final int PAGES = 4;

  private static final int MAX_QUEUED = 1_024;
  private static final long CHECK_INTERVAL_MILLIS = 20;
  private static final long CLIENT_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** While others wait for a thread, a client gets less time. */
  private static final long BUSY_CLIENT_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LEAST_CLIENT_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LEAST_HANDSHAKE_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long IDLE_THREAD_SECONDS = 5;

  private final int threads =
      RequestSize.readersAtATime(Runtime.getRuntime().maxMemory(), RequestSize.limitOfServer());

  private final ThreadsFirst queue = new ThreadsFirst();
  private final ThreadPoolExecutor workers;
  private final Thread watch;
  private final long clientLimitNanos;
  private final EndpointFigures figures;
  private final Semaphore pages = new Semaphore(PAGES, true);

  /** What each client has however many wait. Written before the server starts. */
  private volatile long leastLimitNanos = LEAST_CLIENT_LIMIT_NANOS;

  /** What each worker runs now. Changed by that worker, read by the watch. */
  private final Map<Thread, Exchange> running = new ConcurrentHashMap<>();

  /**
   * @param figures takes what is ended
   */
  SlowClientGuard(EndpointFigures figures) {
    this(figures, CLIENT_LIMIT_NANOS);
  }

  SlowClientGuard(EndpointFigures figures, long clientLimitNanos) {
    this.figures = figures;
    this.clientLimitNanos = clientLimitNanos;
    workers =
        new ThreadPoolExecutor(
            PAGES,
            threads,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            queue,
            task -> DaemonThreads.create("cistern-exporter", task),
            (task, pool) -> queue.offerAlways(task));
    workers.allowCoreThreadTimeOut(true);
    watch = DaemonThreads.create("cistern-exporter-watch", this::watch);
    watch.start();
  }

  @Override
  public void execute(Runnable exchange) {
    workers.execute(new Queued(exchange));
  }

  /**
   * The calling worker has read its request, so that it is not the client's fault if it takes long.
   *
   * @throws IOException if the client has waited too long; its connection is to be closed
   */
  void received() throws IOException {
    Exchange exchange = running.get(Thread.currentThread());
    if (exchange != null) {
      exchange.received();
    }
  }

  /** Waits until few others make a page; ends with {@link #writing}. */
  void working() {
    Exchange exchange = running.get(Thread.currentThread());
    if (exchange != null && !exchange.hasPage) {
      pages.acquireUninterruptibly();
      exchange.hasPage = true;
    }
  }

  /** The calling worker waits for its client again. */
  void writing() {
    Exchange exchange = running.get(Thread.currentThread());
    if (exchange != null) {
      exchange.leavePage();
      exchange.waiting();
    }
  }

  /** Whether exchanges wait for a thread. */
  boolean isBusy() {
    return !queue.isEmpty();
  }

  private void watch() {
    try {
      while (!workers.isShutdown()) {
        Thread.sleep(CHECK_INTERVAL_MILLIS);
        long limitNanos = Math.min(clientLimitNanos, limitNanos(queue.size()));
        running.values().forEach(exchange -> exchange.endIfWaiting(limitNanos));
        shed();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** Clients have more to do than to send one request. */
  void expectHandshakes() {
    leastLimitNanos = LEAST_HANDSHAKE_LIMIT_NANOS;
  }

  /** So that all that wait have their turn within a second or two. */
  private long limitNanos(int waiting) {
    if (waiting == 0) {
      return CLIENT_LIMIT_NANOS;
    }
    return Math.max(leastLimitNanos, BUSY_CLIENT_LIMIT_NANOS * threads / (threads + 4L * waiting));
  }

  /** Ends exchanges that have waited too long for a thread, and the newest of too many. */
  private void shed() {
    while (queue.peekFirst() instanceof Queued oldest
        && oldest.waitsLongerThan(clientLimitNanos)
        && queue.removeFirstOccurrence(oldest)) {
      oldest.shed();
    }
    while (queue.size() > MAX_QUEUED && queue.pollLast() instanceof Queued newest) {
      newest.shed();
    }
  }

  @Override
  public void close() {
    workers.shutdownNow();
    watch.interrupt();
  }

  /** The queue of the pool: a new thread before a place in it. */
  @SuppressWarnings("serial") // nobody writes it
  private final class ThreadsFirst extends LinkedBlockingDeque<Runnable> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean offer(Runnable task) {
      int pool = workers.getPoolSize();
      return (pool >= threads || workers.getActiveCount() < pool) && offerLast(task);
    }

    void offerAlways(Runnable task) {
      offerLast(task);
    }
  }

  /** An exchange that waits for a thread. */
  private final class Queued implements Runnable {
    private final Runnable task;
    private final long sinceNanos = System.nanoTime();

    Queued(Runnable task) {
      this.task = task;
    }

    boolean waitsLongerThan(long nanos) {
      return System.nanoTime() - sinceNanos > nanos;
    }

    @Override
    public void run() {
      run(new Exchange(Thread.currentThread()));
    }

    /** Runs it in the calling thread so that it ends at once: its first read closes the channel. */
    void shed() {
      Exchange exchange = new Exchange(Thread.currentThread());
      exchange.endIfWaiting(Long.MIN_VALUE);
      run(exchange);
    }

    private void run(Exchange exchange) {
      running.put(exchange.worker, exchange);
      try {
        task.run();
      } finally {
        running.remove(exchange.worker);
        exchange.leavePage();
        exchange.end();
      }
    }
  }

  /** One exchange on one worker. Its lock orders an interrupt before the worker's next exchange. */
  private final class Exchange {
    private final Thread worker;
    private long waitingSinceNanos = System.nanoTime();
    private boolean waiting = true;
    private boolean ended;

    /** Whether it holds one of the few places. Touched by its worker only. */
    private boolean hasPage;

    Exchange(Thread worker) {
      this.worker = worker;
    }

    /** Called by the worker itself: an interrupt that came at the last moment must not reach on. */
    synchronized void received() throws IOException {
      waiting = false;
      if (ended) {
        throw new IOException("the client was too slow");
      }
      Thread.interrupted();
    }

    synchronized void waiting() {
      waiting = true;
      waitingSinceNanos = System.nanoTime();
    }

    synchronized void endIfWaiting(long limitNanos) {
      if (waiting && System.nanoTime() - waitingSinceNanos > limitNanos) {
        waiting = false;
        ended = true;
        figures.refused(Refusal.SLOW);
        worker.interrupt();
      }
    }

    void leavePage() {
      if (hasPage) {
        hasPage = false;
        pages.release();
      }
    }

    /** Called by the worker itself, whose interrupt belongs to this exchange only. */
    synchronized void end() {
      waiting = false;
      Thread.interrupted();
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends load to the demo application. Each connection has its own thread, and every fourth
 * connection uses TLS. A connection that fails is opened again; all are closed at the end.
 */
public final class LoadDriver implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int TLS_EVERY = 4;
  private static final long MAX_FAILURES = 100;

  private final String host;
  private final int port;
  private final int tlsPort;
  private final @Nullable SSLContext tls;
  private final LoadPlan plan;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> workers = new ArrayList<>();
  private final long start = System.nanoTime();

  private LoadDriver(String host, int port, int tlsPort, @Nullable SSLContext tls, LoadPlan plan) {
    this.host = host;
    this.port = port;
    this.tlsPort = tlsPort;
    this.tls = tls;
    this.plan = plan;
  }

  /**
   * Starts a load over the loopback interface.
   *
   * @param tlsPort -1 for none
   * @throws IOException if the server does not respond
   */
  public static LoadDriver start(int port, int tlsPort, LoadPlan plan) throws IOException {
    SSLContext tls = null;
    if (tlsPort >= 0) {
      tls = Trust.only(HttpConnection.get(LOOPBACK, port, "/certificate").text());
    }
    return new LoadDriver(LOOPBACK, port, tlsPort, tls, plan).start();
  }

  /** Starts a load without TLS for an application on any host. */
  static LoadDriver start(String host, int port, LoadPlan plan) {
    return new LoadDriver(host, port, -1, null, plan).start();
  }

  private LoadDriver start() {
    for (int i = 0; i < plan.connections(); i++) {
      int number = i;
      Thread worker = new Thread(() -> work(number), "load-" + i);
      worker.setDaemon(true);
      workers.add(worker);
    }
    workers.forEach(Thread::start);
    return this;
  }

  /** Runs a load to its end. */
  public static LoadReport run(int port, int tlsPort, LoadPlan plan)
      throws IOException, InterruptedException {
    try (LoadDriver driver = start(port, tlsPort, plan)) {
      return driver.await();
    }
  }

  /** Returns the number of requests with a response so far. */
  public long requests() {
    return requests.get();
  }

  /** Returns whether any connection still works. */
  public boolean isRunning() {
    return workers.stream().anyMatch(Thread::isAlive);
  }

  /** Waits for the plan's end. */
  public LoadReport await() throws InterruptedException {
    for (Thread worker : workers) {
      worker.join();
    }
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    return new LoadReport(requests.get(), failures.get(), firstFailure.get(), elapsed);
  }

  /** Ends the load early; each connection closes after its last response. */
  @Override
  public void close() {
    stopped.set(true);
    workers.forEach(LockSupport::unpark);
    try {
      await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(int number) {
    long steps = number;
    while (mayGoOn()) {
      try (HttpConnection connection = connect(number)) {
        while (mayGoOn()) {
          requests.addAndGet(LoadStep.of(steps++).run(connection));
          pace();
        }
      } catch (IOException | RuntimeException e) {
        firstFailure.compareAndSet(null, String.valueOf(e));
        failures.incrementAndGet();
      }
    }
  }

  private HttpConnection connect(int number) throws IOException {
    boolean overTls = tls != null && number % TLS_EVERY == TLS_EVERY - 1;
    return overTls ? HttpConnection.open(host, tlsPort, tls) : HttpConnection.open(host, port);
  }

  private boolean mayGoOn() {
    return !stopped.get()
        && requests.get() < plan.maxRequests()
        && failures.get() < MAX_FAILURES
        && System.nanoTime() - start < plan.limit().toNanos();
  }

  /** Waits until the plan's rate allows the next request. */
  private void pace() {
    if (plan.requestsPerSecond() == 0) {
      return;
    }
    long due = (long) (requests.get() / plan.requestsPerSecond() * 1e9);
    long wait = due - (System.nanoTime() - start);
    if (wait > 0 && !stopped.get()) {
      LockSupport.parkNanos(wait);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** A client of the agent's endpoint. */
public final class Metrics {
  private static final String HOST = "127.0.0.1";
  private static final long POLL_NANOS = 50_000_000;

  private final int port;

  /** Creates a client of an endpoint on the loopback address. */
  public Metrics(int port) {
    this.port = port;
  }

  /** An action before each scrape. */
  private interface Step {
    void run() throws IOException;
  }

  /** Returns the port of the endpoint. */
  public int port() {
    return port;
  }

  /** Returns the address of one of its pages. */
  public String address(String path) {
    return "http://" + HOST + ":" + port + path;
  }

  /**
   * Scrapes the metrics.
   *
   * @throws IOException if the endpoint is unreachable or does not respond with status 200
   */
  public Exposition scrape() throws IOException {
    return Exposition.parse(get("/metrics"));
  }

  /**
   * Returns the text of a page.
   *
   * @throws IOException if the endpoint is unreachable or does not respond with status 200
   */
  public String get(String path) throws IOException {
    HttpReply reply;
    try {
      reply = HttpConnection.get(HOST, port, path);
    } catch (IOException e) {
      throw new IOException(address(path) + " is not there: " + e.getMessage(), e);
    }
    if (reply.status() != 200) {
      throw new IOException(address(path) + " answered " + reply.status());
    }
    return reply.text();
  }

  /**
   * Scrapes until {@code wanted} holds or time is up, and returns the last scrape in both cases.
   *
   * @throws IOException if the last scrape failed
   */
  public Exposition scrapeUntil(Predicate<Exposition> wanted, Duration limit) throws IOException {
    return scrapeUntil(() -> {}, wanted, limit);
  }

  /**
   * Sends requests to the application until its allocations come from the pool, or time is up. The
   * agent activates only after the application has allocated its first buffer from Netty.
   *
   * @throws IOException if the application or the endpoint does not respond
   */
  public Exposition scrapeUntilServing(int applicationPort, Duration limit) throws IOException {
    return scrapeUntil(
        () -> {
          HttpConnection.get(HOST, applicationPort, "/plaintext");
        },
        scrape -> scrape.sum("cistern_served_allocations_total") > 0,
        limit);
  }

  private Exposition scrapeUntil(Step before, Predicate<Exposition> wanted, Duration limit)
      throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      boolean last = System.nanoTime() >= deadline;
      try {
        before.run();
        Exposition scrape = scrape();
        if (last || wanted.test(scrape)) {
          return scrape;
        }
      } catch (IOException e) {
        if (last) {
          throw e;
        }
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.report.Hosts;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * {@code /-/ready}: whether the next scrape can be served, as checked within the last second. The
 * cached result makes frequent requests by any client cheap. One thread at a time reads the pools.
 * The other threads wait half a second for it, and then report that the host is not ready.
 */
public final class ReadyPage implements Page {

  /** Maximum wait, shorter than the default probe timeout of Kubernetes. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int MAX_WAITING = 16;

  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Hosts hosts;
  private final LongSupplier nanoTime;

  /** Held by the thread that reads the pools, which can block indefinitely. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Result of the last check. Guarded by {@link #lock}. */
  private boolean isReady;

  /** Time of the last check; 0 before the first. Guarded by {@link #lock}. */
  private long checkedNanos;

  public ReadyPage(Hosts hosts, LongSupplier nanoTime) {
    this.hosts = hosts;
    this.nanoTime = nanoTime;
  }

  @Override
  public Response respond(Request request) {
    return ready();
  }

  /** Returns the response to any client. */
  Response ready() {
    return isReady()
        ? Response.line(Response.OK, "Cistern is ready.")
        : Response.line(Response.UNAVAILABLE, "Cistern cannot read its pools.");
  }

  private boolean isReady() {
    try {
      if (lock.getQueueLength() >= MAX_WAITING
          || !lock.tryLock(MAX_WAIT_NANOS, TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      return false;
    }
    try {
      if (checkedNanos == 0 || nanoTime.getAsLong() - checkedNanos > MAX_AGE_NANOS) {
        isReady = canReadHosts();
        checkedNanos = nanoTime.getAsLong();
      }
      return isReady;
    } finally {
      lock.unlock();
    }
  }

  private boolean canReadHosts() {
    try {
      hosts.all();
      return true;
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }
}

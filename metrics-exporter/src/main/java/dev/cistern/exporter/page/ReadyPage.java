/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.report.Hosts;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * {@code /-/ready}: whether the next scrape can be answered, as it was found within the last
 * second: anybody may ask, as often as they like. One thread asks the pools at a time; the others
 * wait half a second for it, and then find that the host is not ready.
 */
public final class ReadyPage implements Page {

  /** Less than Kubernetes waits for a probe by default. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int MAX_WAITING = 16;

  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Hosts hosts;
  private final LongSupplier nanoTime;

  /** Held by the thread that asks the pools, which may take for ever. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as is the next. */
  private boolean isReady;

  /** Zero before the first time. */
  private long askedNanos;

  public ReadyPage(Hosts hosts, LongSupplier nanoTime) {
    this.hosts = hosts;
    this.nanoTime = nanoTime;
  }

  @Override
  public Response answer(Request request) {
    return ready();
  }

  /** To whoever asks. */
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
      if (askedNanos == 0 || nanoTime.getAsLong() - askedNanos > MAX_AGE_NANOS) {
        isReady = canAsk();
        askedNanos = nanoTime.getAsLong();
      }
      return isReady;
    } finally {
      lock.unlock();
    }
  }

  private boolean canAsk() {
    try {
      hosts.all();
      return true;
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }
}

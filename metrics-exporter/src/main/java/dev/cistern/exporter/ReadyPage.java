/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * {@code /-/ready}: whether the next scrape can be answered, as it was found within the last
 * second: anybody may ask, as often as they like. One thread asks the pools at a time; the others
 * wait half a second for it, and then find that the host is not ready.
 */
final class ReadyPage implements Page {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

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

  ReadyPage(Hosts hosts, LongSupplier nanoTime) {
    this.hosts = hosts;
    this.nanoTime = nanoTime;
  }

  @Override
  public Answer answer(Request request) {
    return ready();
  }

  /** To whoever asks. */
  Answer ready() {
    return isReady()
        ? Answer.line(OK, "Cistern is ready.")
        : Answer.line(UNAVAILABLE, "Cistern cannot ask its pools.");
  }

  private boolean isReady() {
    if (!tryLock()) {
      return false;
    }
    try {
      return isReadyLocked();
    } finally {
      lock.unlock();
    }
  }

  private boolean tryLock() {
    if (lock.getQueueLength() >= MAX_WAITING) {
      return false;
    }
    try {
      return lock.tryLock(MAX_WAIT_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private boolean isReadyLocked() {
    if (askedNanos == 0 || nanoTime.getAsLong() - askedNanos > MAX_AGE_NANOS) {
      isReady = canAsk();
      askedNanos = nanoTime.getAsLong();
    }
    return isReady;
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

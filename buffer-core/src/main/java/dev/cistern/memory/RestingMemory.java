/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.Settings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that was given up, and stays mapped for a while: a thread that found a buffer live
 * just before another one released it then reads what nobody needs any more, not what is not there
 * (docs/buffers.md).
 *
 * <p>What rests is bounded by bytes and by number; beyond that, the oldest is freed at once, and
 * counted. What has rested is freed by a daemon thread, which comes with the first region and goes
 * when none is left. Thread-safe; nothing is freed under the lock.
 */
public final class RestingMemory {
  static final String BYTES_KEY = "memory.restBytes";
  static final String MILLIS_KEY = "memory.restMillis";

  private static final long DEFAULT_BYTES = 64L << 20;
  private static final long DEFAULT_MILLIS = 1000;

  /** What the bound in bytes is for regions of 1 KiB; so many smaller ones take less. */
  private static final int MOST_REGIONS = 65_536;

  private static final int FIRST_REGIONS = 64;

  private static final int MOST_WAITS = 1000;

  private static final long WAIT_NANOS = 20_000;

  /** What returns a region to the operating system. */
  @FunctionalInterface
  public interface Unmapper {
    /** Frees the region; once. */
    void unmap(Region region);
  }

  private record Resting(Region region, Unmapper unmapper, long dueNanos) {}

  private static final class Shared {
    static final RestingMemory INSTANCE =
        new RestingMemory(
            Settings.number(BYTES_KEY, DEFAULT_BYTES, 0L, Long.MAX_VALUE),
            TimeUnit.MILLISECONDS.toNanos(
                Settings.number(MILLIS_KEY, DEFAULT_MILLIS, 0L, TimeUnit.HOURS.toMillis(1))),
            MOST_REGIONS,
            System::nanoTime);
  }

  private final long mostBytes;
  private final long restNanos;
  private final int mostRegions;
  private final LongSupplier nanoClock;
  private final AtomicLong early = new AtomicLong();

  /** Taken out of the ring, and not yet freed. */
  private final AtomicInteger leaving = new AtomicInteger();

  // Guarded by this object's lock: a ring, the oldest first.
  private @Nullable Resting[] ring;
  private int oldest;
  private int size;
  private @Nullable Thread thread;

  /** Written under the lock, read by any. */
  private volatile long restingBytes;

  /**
   * @param mostBytes the most bytes that rest; 0: none
   * @param restNanos how long they rest; 0: not at all
   * @param mostRegions the most regions that rest, at least 1
   * @param nanoClock as {@link System#nanoTime}
   */
  RestingMemory(long mostBytes, long restNanos, int mostRegions, LongSupplier nanoClock) {
    this.mostBytes = mostBytes;
    this.restNanos = restNanos;
    this.nanoClock = nanoClock;
    this.mostRegions = mostRegions;
    ring = new Resting[Math.min(FIRST_REGIONS, mostRegions)];
  }

  /**
   * Where all memory of this JVM rests: {@code -Dcistern.memory.restBytes} bytes at most, 64 MiB
   * unless said, for {@code -Dcistern.memory.restMillis}, 1000 unless said.
   */
  public static RestingMemory shared() {
    return Shared.INSTANCE;
  }

  /**
   * Lets a region rest, and has it freed then.
   *
   * @param unmapper called once, in any thread; what it throws is logged
   */
  public void rest(Region region, Unmapper unmapper) {
    if (restNanos == 0 || region.bytes() > mostBytes) {
      early.incrementAndGet();
      unmapper.unmap(region);
      return;
    }
    Resting surplus;
    try {
      surplus = add(new Resting(region, unmapper, nanoClock.getAsLong() + restNanos));
    } catch (OutOfMemoryError fullHeap) {
      early.incrementAndGet(); // nothing was added yet
      unmapper.unmap(region);
      return;
    }
    while (surplus != null) {
      early.incrementAndGet();
      free(surplus);
      surplus = takeSurplus();
    }
  }

  /** Adds one; returns the one that has to go instead, if any. */
  private synchronized @Nullable Resting add(Resting added) {
    Resting surplus = size == ring.length && !grow() ? take() : null;
    ring[(oldest + size) % ring.length] = added;
    size++;
    restingBytes += added.region.bytes();
    if (thread == null || !thread.isAlive()) {
      startThread();
    }
    return surplus != null ? surplus : takeSurplus();
  }

  private boolean grow() {
    int length = (int) Math.min(mostRegions, ring.length * 2L);
    if (length == ring.length) {
      return false;
    }
    @Nullable Resting[] larger = new Resting[length];
    for (int i = 0; i < size; i++) {
      larger[i] = ring[(oldest + i) % ring.length];
    }
    ring = larger;
    oldest = 0;
    return true;
  }

  private synchronized @Nullable Resting takeSurplus() {
    return restingBytes > mostBytes ? take() : null;
  }

  private synchronized @Nullable Resting takeDue(long nowNanos) {
    Resting first = ring[oldest];
    return first != null && nowNanos - first.dueNanos >= 0 ? take() : null;
  }

  private synchronized @Nullable Resting take() {
    Resting taken = ring[oldest];
    if (taken != null) {
      ring[oldest] = null;
      oldest = (oldest + 1) % ring.length;
      size--;
      restingBytes -= taken.region.bytes();
      leaving.incrementAndGet();
    }
    return taken;
  }

  private void free(Resting taken) {
    try {
      taken.unmapper.unmap(taken.region);
    } catch (RuntimeException | Error failed) {
      report(taken.region, failed);
    } finally {
      leaving.decrementAndGet();
    }
  }

  private static void report(Region kept, Throwable failed) {
    try {
      System.getLogger(RestingMemory.class.getName())
          .log(
              System.Logger.Level.ERROR,
              "cannot free " + kept.bytes() + " bytes of native memory",
              failed);
    } catch (RuntimeException | Error logFailed) {
      // There is nobody left to tell; the other regions must be freed all the same.
    }
  }

  /** Frees what has rested long enough. */
  void freeDue() {
    long now = nanoClock.getAsLong();
    for (Resting due; (due = takeDue(now)) != null; ) {
      free(due);
    }
  }

  /**
   * Frees all that rests now, where memory is short; what other threads are freeing is waited for,
   * a little.
   */
  public void freeAll() {
    for (Resting taken; (taken = take()) != null; ) {
      early.incrementAndGet();
      free(taken);
    }
    for (int waits = 0; leaving.get() > 0 && waits < MOST_WAITS; waits++) {
      LockSupport.parkNanos(WAIT_NANOS);
    }
  }

  /** Bytes that rest now. */
  public long restingBytes() {
    return restingBytes;
  }

  /** Regions that were freed before their time, because of a bound or because memory was short. */
  public long freedEarly() {
    return early.get();
  }

  // The thread

  private void startThread() {
    try {
      Thread started = new Thread(null, this::run, "cistern-rest", 0, false);
      started.setDaemon(true);
      // The creator's context loader is a guest's: it must not live as long as this thread.
      started.setContextClassLoader(null);
      started.start();
      thread = started;
    } catch (RuntimeException | Error failed) {
      // No thread to be had now: the bounds hold all the same, and the next region tries again.
      thread = null;
    }
  }

  private void run() {
    boolean wasEmpty = false;
    for (; ; ) {
      Thread.interrupted(); // whoever interrupts all threads does not mean this one
      LockSupport.parkNanos(restNanos / 4 + 1);
      try {
        freeDue();
      } catch (RuntimeException | Error failed) {
        // Most likely memory is short: the next round may find some.
      }
      boolean isEmpty = restingBytes == 0;
      if (isEmpty && wasEmpty && endThread()) {
        return;
      }
      wasEmpty = isEmpty;
    }
  }

  /** Whether there is a thread. */
  synchronized boolean isWatched() {
    return thread != null;
  }

  private synchronized boolean endThread() {
    if (size > 0) {
      return false;
    }
    thread = null;
    return true;
  }
}

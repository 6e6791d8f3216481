/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the C library to return free memory to the system, after pools have given memory back to it
 * (docs/decisions/0012). The way is the JVM's own diagnostic command, {@code
 * System.trim_native_heap}; where it is missing, nothing happens.
 *
 * <p>A trim keeps a safepoint that begins meanwhile waiting, and with it all threads of the JVM,
 * for some 0.1 ms for each MiB that there is to return. Thread-safe.
 */
public final class NativeHeapTrim {
  /** From the end of one round of trims to the next, in nanoseconds. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Trims that follow each other faster are of one round: less than the janitor's period. */
  static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** So many failures in a row are the last. */
  static final int MOST_FAILURES = 3;

  /** Whether this JVM can. */
  public enum State {
    /** None was due yet. */
    UNTRIED,
    /** The last one succeeded, or failed for the first times. */
    AVAILABLE,
    /** The JVM, the platform or its C library does not have it. */
    MISSING,
    /** Given up after failures in a row. */
    FAILED
  }

  /** The way to the C library. */
  @FunctionalInterface
  public interface Command {
    /**
     * Returns free memory to the system.
     *
     * @return false where this is not to be had in this JVM
     */
    boolean trim();
  }

  /**
   * What has been done in this process, as far as this class loader knows.
   *
   * @param state whether this JVM can
   * @param trims those that succeeded
   * @param lastNanos how long the last of them took, in nanoseconds
   * @param mostNanos how long the longest of them took
   * @param totalNanos how long all of them took
   * @param failures those that failed
   */
  public record Figures(
      State state, long trims, long lastNanos, long mostNanos, long totalNanos, long failures) {}

  private static final class Shared {
    static final NativeHeapTrim INSTANCE =
        new NativeHeapTrim(
            NativeHeapTrim::command, System::nanoTime, () -> RestingMemory.shared().restingBytes());
  }

  private final Supplier<Command> opener;
  private final LongSupplier nanoClock;
  private final LongSupplier restingBytes;
  private final AtomicLong givenBackBytes = new AtomicLong();

  /** Held while trimming; who finds it taken goes without. */
  private final ReentrantLock lock = new ReentrantLock();

  private final AtomicLong trims = new AtomicLong();
  private final AtomicLong lastNanos = new AtomicLong();
  private final AtomicLong mostNanos = new AtomicLong();
  private final AtomicLong totalNanos = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile State state = State.UNTRIED;

  // Guarded by lock.
  private @Nullable Command command;
  private int failuresInARow;
  private boolean ended;
  private long endNanos;

  /**
   * @param opener makes the command, when the first trim is due
   * @param nanoClock as {@link System#nanoTime}
   */
  public NativeHeapTrim(Supplier<Command> opener, LongSupplier nanoClock) {
    this(opener, nanoClock, () -> 0);
  }

  /**
   * @param restingBytes how much of what was given back has not reached the C library yet
   */
  NativeHeapTrim(Supplier<Command> opener, LongSupplier nanoClock, LongSupplier restingBytes) {
    this.restingBytes = restingBytes;
    this.opener = opener;
    this.nanoClock = nanoClock;
  }

  /** The one schedule that all pools of this JVM share. */
  public static NativeHeapTrim shared() {
    return Shared.INSTANCE;
  }

  private static Command command() {
    try {
      return TrimCommand.open();
    } catch (NoClassDefFoundError noManagementModule) {
      return () -> false;
    }
  }

  /** Notes that native memory went back to the C library; from any thread, for one addition. */
  public void givenBack(long bytes) {
    givenBackBytes.addAndGet(bytes);
  }

  /**
   * Trims if so many bytes were given back since the last time, and the last round of trims is long
   * enough ago, or still going on. Takes milliseconds where it trims: for a thread that serves
   * nobody, without a lock that others want. Throws nothing that the command throws.
   *
   * @param thresholdBytes at least 1
   */
  public void trimIfDue(long thresholdBytes) {
    if (givenBackBytes.get() - restingBytes.getAsLong() < thresholdBytes
        || isOver()
        || !lock.tryLock()) {
      return;
    }
    try {
      if (isTime()) {
        trim();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    return state == State.MISSING || state == State.FAILED;
  }

  private boolean isTime() {
    long since = nanoClock.getAsLong() - endNanos;
    return !isOver() && (!ended || since < ROUND_NANOS || since >= PAUSE_NANOS);
  }

  /** What comes back meanwhile counts for the next time; after a failure, nothing is made up. */
  private void trim() {
    givenBackBytes.set(restingBytes.getAsLong());
    try {
      Command known = command;
      if (known == null) {
        known = opener.get();
        command = known;
      }
      long begin = nanoClock.getAsLong();
      if (known.trim()) {
        count(nanoClock.getAsLong() - begin);
        failuresInARow = 0;
        state = State.AVAILABLE;
      } else {
        state = State.MISSING;
      }
    } catch (RuntimeException | Error failed) {
      failures.incrementAndGet();
      failuresInARow++;
      state = failuresInARow < MOST_FAILURES ? State.AVAILABLE : State.FAILED;
    } finally {
      endNanos = nanoClock.getAsLong();
      ended = true;
    }
  }

  private void count(long nanos) {
    trims.incrementAndGet();
    lastNanos.set(nanos);
    mostNanos.accumulateAndGet(nanos, Math::max);
    totalNanos.addAndGet(nanos);
  }

  /** What has been done so far. */
  public Figures figures() {
    return new Figures(
        state, trims.get(), lastNanos.get(), mostNanos.get(), totalNanos.get(), failures.get());
  }
}

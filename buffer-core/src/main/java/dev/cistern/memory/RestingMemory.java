/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.BlockHoundPermission;
import dev.cistern.util.DaemonThreads;
import dev.cistern.util.Settings;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
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
 *
 * <p>Unpooled buffers come here with each last release. So the time of a region begins when the
 * daemon looks next, which spares a look at the clock. Where one is too many, one goes, not several
 * at a time: so memory comes back to the C library in the order in which it gave it, which the
 * processor can foresee, and it gives that at once to who asks next.
 */
public final class RestingMemory {
  static final String BYTES_KEY = "memory.restBytes";
  static final String MILLIS_KEY = "memory.restMillis";

  private static final long DEFAULT_BYTES = 64L << 20;
  private static final long DEFAULT_MILLIS = 1000;

  /** What the bound in bytes is for regions of 1 KiB; so many smaller ones take less. */
  private static final int MOST_REGIONS = 65_536;

  private static final int FIRST_REGIONS = 64;

  /**
   * How often memory is asked for while others free what rests: between that and the next request,
   * yet others may fill the place.
   */
  static final int MOST_REQUESTS = 64;

  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long MAX_SHORT_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** What returns memory to the operating system. */
  @FunctionalInterface
  public interface Unmapper {
    /**
     * Frees it; once. The parameters are those of {@link #rest}.
     *
     * @param address where it begins
     * @param bytes how many there are
     * @param handle what else is needed
     */
    void unmap(long address, long bytes, @Nullable Object handle);
  }

  /**
   * A look of the daemon at the clock.
   *
   * @param came how many regions had ever come by then
   * @param dueNanos when these have rested
   */
  private record Look(long came, long dueNanos) {}

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

  /** Of those that were taken out of the ring, how many have been freed. */
  private final AtomicLong freed = new AtomicLong();

  // All that follows is guarded by this object's lock.
  private final RegionRing ring;
  private final ArrayDeque<Look> looks = new ArrayDeque<>();

  /** Regions that ever came into the ring. */
  private long came;

  private long early;
  private @Nullable Thread thread;

  /**
   * @param mostBytes the most bytes that rest; 0: none
   * @param restNanos how long they rest; 0: not at all
   * @param mostRegions the most regions that rest, at least 1
   * @param nanoClock as {@link System#nanoTime}
   */
  RestingMemory(long mostBytes, long restNanos, int mostRegions, LongSupplier nanoClock) {
    this(
        mostBytes,
        restNanos,
        mostRegions,
        nanoClock,
        new RegionRing(Math.min(FIRST_REGIONS, mostRegions)));
  }

  /** As above, with a ring of the caller's. */
  RestingMemory(
      long mostBytes, long restNanos, int mostRegions, LongSupplier nanoClock, RegionRing ring) {
    this.mostBytes = mostBytes;
    this.restNanos = restNanos;
    this.nanoClock = nanoClock;
    this.mostRegions = mostRegions;
    this.ring = ring;
  }

  /**
   * Where all memory of this JVM rests: {@code -Dcistern.memory.restBytes} bytes at most, 64 MiB
   * unless said, for {@code -Dcistern.memory.restMillis} at least, 1000 unless said.
   */
  public static RestingMemory shared() {
    return Shared.INSTANCE;
  }

  /**
   * Lets memory rest, and has it freed then.
   *
   * @param address where it begins, if the unmapper needs that
   * @param bytes how many there are
   * @param handle what else the unmapper needs
   * @param unmapper called once, in any thread; what it throws is logged, unless it is called here
   *     and now because the memory may not rest
   */
  public void rest(long address, long bytes, @Nullable Object handle, Unmapper unmapper) {
    RegionRing.Taken surplus = null;
    boolean rests = restNanos > 0 && bytes <= mostBytes;
    if (rests) {
      try {
        surplus = add(address, bytes, handle, unmapper);
      } catch (OutOfMemoryError fullHeap) {
        rests = false; // nothing was added
      }
    }
    if (!rests) {
      countEarly();
      unmapper.unmap(address, bytes, handle);
      return;
    }
    if (surplus != null) {
      free(surplus);
      if (surplus.bytes()
          < bytes) { // else as much went as came, and it is others who look for more
        freeAbove(mostBytes);
      }
    }
  }

  /** Frees the oldest until no more than so many bytes rest; a negative number: all. */
  private void freeAbove(long bytes) {
    try {
      for (RegionRing.Taken surplus; (surplus = takeAbove(bytes)) != null; ) {
        free(surplus);
      }
    } catch (OutOfMemoryError fullHeap) {
      // What was not taken out rests on: the next region that comes, or the daemon, frees it.
    }
  }

  private synchronized void countEarly() {
    early++;
  }

  /** Adds one; returns one that has to go instead, if any. */
  private synchronized RegionRing.@Nullable Taken add(
      long address, long bytes, @Nullable Object handle, Unmapper unmapper) {
    boolean isPlaceNeeded = ring.size() == mostRegions;
    if (ring.isFull() && !isPlaceNeeded) {
      ring.grow((int) Math.min(mostRegions, ring.length() * 2L));
    }
    boolean isTooMuch = isPlaceNeeded || ring.totalBytes() > mostBytes - bytes;
    RegionRing.Taken first = isTooMuch ? takeEarly() : null; // nothing fails from here on
    ring.add(address, bytes, handle, unmapper);
    came++;
    if (thread == null) {
      startThread();
    }
    return first;
  }

  private synchronized RegionRing.@Nullable Taken takeAbove(long bytes) {
    return ring.totalBytes() > bytes ? takeEarly() : null;
  }

  private synchronized RegionRing.@Nullable Taken takeEarly() {
    RegionRing.Taken first = ring.takeFirst();
    if (first != null) {
      early++;
    }
    return first;
  }

  private void free(RegionRing.Taken taken) {
    Throwable failed = null;
    try {
      taken.unmapper().unmap(taken.address(), taken.bytes(), taken.handle());
    } catch (RuntimeException | Error notFreed) {
      failed = notFreed;
    } finally {
      freed.incrementAndGet(); // before the report: a log of the host may request memory
    }
    if (failed != null) {
      report(taken.bytes(), failed);
    }
  }

  private static void report(long keptBytes, Throwable failed) {
    try {
      System.getLogger(RestingMemory.class.getName())
          .log(
              System.Logger.Level.ERROR,
              "cannot free " + keptBytes + " bytes of native memory",
              failed);
    } catch (RuntimeException | Error logFailed) {
      // There is nobody left to tell; the other regions must be freed all the same.
    }
  }

  /** Frees what has rested long enough, and looks at the clock for what has come meanwhile. */
  void freeDue() {
    long now = look();
    for (RegionRing.Taken due; (due = takeDue(now)) != null; ) {
      free(due);
    }
  }

  private synchronized long look() {
    long now = nanoClock.getAsLong(); // all that is in the ring came before this
    Look last = looks.peekLast();
    if (ring.size() > 0 && (last == null || last.came < came)) {
      looks.add(new Look(came, now + restNanos));
    }
    return now;
  }

  private synchronized RegionRing.@Nullable Taken takeDue(long nowNanos) {
    long taken = came - ring.size();
    Look first = looks.peek();
    while (first != null && first.came <= taken) {
      looks.remove();
      first = looks.peek();
    }
    return first != null && nowNanos - first.dueNanos >= 0 ? ring.takeFirst() : null;
  }

  /**
   * Frees all that rests now, where memory is short; what other threads were freeing by then is
   * waited for, a little.
   */
  public void freeAll() {
    freeAll(freedRegions());
  }

  /**
   * As {@link #freeAll()}, for a thread that was refused memory.
   *
   * @param freedBefore {@link #freedRegions} from before it asked
   * @return whether anything rested, or was being freed, when it asked or since: asking again may
   *     help
   */
  boolean freeAll(long freedBefore) {
    freeAbove(-1);
    long takenOut = takenOut(); // what comes and goes from here on is not waited for
    awaitFreed(takenOut, MAX_WAIT_NANOS);
    return takenOut != freedBefore;
  }

  /**
   * Frees the oldest region in quarantine, before its time. For a thread that was refused memory.
   * If there is none, but other threads are freeing some, the calling thread waits for them for up
   * to a millisecond.
   *
   * @return whether a further request may be served
   */
  public boolean freeOldest() {
    RegionRing.Taken oldest = takeAbove(-1);
    if (oldest != null) {
      free(oldest);
      return true;
    }
    long takenOut = takenOut();
    boolean isFreeing = freed.get() < takenOut;
    awaitFreed(takenOut, MAX_SHORT_WAIT_NANOS);
    return isFreeing && freed.get() >= takenOut;
  }

  /**
   * Waits until other threads have freed the regions that they took. It does not park: that could
   * use up the permit of a thread of the application.
   */
  private void awaitFreed(long takenOut, long maxNanos) {
    if (freed.get() >= takenOut) {
      return;
    }
    long startNanos = System.nanoTime();
    Object permission = BlockHoundPermission.begin();
    try {
      for (int round = 0; isBefore(startNanos, maxNanos) && freed.get() < takenOut; round++) {
        BlockHoundPermission.pause(round);
      }
    } finally {
      BlockHoundPermission.end(permission);
    }
  }

  private static boolean isBefore(long startNanos, long maxNanos) {
    return System.nanoTime() - startNanos < maxNanos;
  }

  private synchronized long takenOut() {
    return came - ring.size();
  }

  /**
   * Requests memory from a source. While the source refuses, frees the quarantined memory, or waits
   * for another thread that is freeing some, and requests again.
   *
   * @param source returns memory of that many bytes, or throws an {@link OutOfMemoryError}. A field
   *     and not a lambda of the call: linking one in a full Java heap is an {@link InternalError}
   * @param bytes the size of the request
   * @throws OutOfMemoryError the last error of the source, if no memory was quarantined, or if
   *     freeing it did not help
   */
  public <T> T request(IntFunction<T> source, int bytes) {
    for (int requests = 1; ; requests++) {
      long freedBefore = freedRegions();
      try {
        return source.apply(bytes);
      } catch (OutOfMemoryError refused) {
        if (requests == MOST_REQUESTS || !freeAll(freedBefore)) {
          throw refused;
        }
      }
    }
  }

  /** How many regions that rested have been freed so far, whatever the reason. */
  long freedRegions() {
    return freed.get();
  }

  /** Bytes that rest now. */
  public synchronized long restingBytes() {
    return ring.totalBytes();
  }

  /** Regions that were freed before their time, because of a bound or because memory was short. */
  public synchronized long freedEarly() {
    return early;
  }

  // The thread

  private void startThread() {
    try {
      Thread started = DaemonThreads.create("cistern-rest", this::run);
      started.start();
      thread = started;
    } catch (RuntimeException | Error failed) {
      // No thread to be had now: the bounds hold all the same, and the next region tries again.
      thread = null;
    }
  }

  private void run() {
    try {
      for (int emptyRounds = 0; emptyRounds < 2 || !isOver(); ) {
        Thread.interrupted(); // whoever interrupts all threads does not mean this one
        LockSupport.parkNanos(restNanos / 4 + 1);
        try {
          freeDue();
        } catch (RuntimeException | Error failed) {
          // Most likely memory is short: the next round may find some.
        }
        emptyRounds = restingBytes() == 0 ? emptyRounds + 1 : 0;
      }
    } finally {
      forgetThread();
    }
  }

  /** If so, the next region starts another thread. */
  private synchronized boolean isOver() {
    if (ring.size() == 0) {
      thread = null;
    }
    return ring.size() == 0;
  }

  /** As {@link #isOver}, where the thread failed. */
  private synchronized void forgetThread() {
    if (thread == Thread.currentThread()) {
      thread = null;
    }
  }

  /** Whether there is a thread. */
  synchronized boolean isWatched() {
    return thread != null;
  }
}

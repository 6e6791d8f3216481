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
 * Native memory that was released, and stays mapped for a while. A thread that uses a buffer just
 * after another thread has released it then reads old data, and does not crash (docs/buffers.md).
 * Until it is freed, a source may take a region back for its next request.
 *
 * <p>Bytes and number of regions are bounded. Beyond that, the oldest is freed at once, and
 * counted. Regions whose time is over are freed by a daemon thread, which starts with the first
 * region and ends when none is left. Thread-safe; nothing is freed under the lock.
 *
 * <p>Unpooled buffers come here with each last release. So the time of a region begins when the
 * daemon looks next, which avoids reading the clock. For each region too many, one is freed, not
 * several: so the C library gets memory back in the order in which it gave it, which the processor
 * can foresee.
 */
public final class MemoryQuarantine {
  static final String BYTES_KEY = "memory.quarantineBytes";
  static final String MILLIS_KEY = "memory.quarantineMillis";

  private static final long DEFAULT_BYTES = 64L << 20;
  private static final long DEFAULT_MILLIS = 1000;

  /** Reaches the bound in bytes with regions of 1 KiB. */
  private static final int MAX_REGIONS = 65_536;

  private static final int FIRST_REGIONS = 64;

  /**
   * How often a refused request is repeated while threads free quarantined memory: further threads
   * may allocate what was freed.
   */
  static final int MAX_REQUESTS = 64;

  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What returns memory to the operating system. */
  @FunctionalInterface
  public interface Unmapper {
    /**
     * Frees it; once. The parameters are those of {@link #add}.
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
    static final MemoryQuarantine INSTANCE = ofSettings();
  }

  private static final class Blocks {
    static final MemoryQuarantine INSTANCE = ofSettings();
  }

  private final long maxBytes;
  private final long quarantineNanos;
  private final int maxRegions;
  private final LongSupplier nanoClock;

  /** Of those that were taken out of the ring, how many have been freed. */
  private final AtomicLong freed = new AtomicLong();

  // All that follows is guarded by this object's lock.
  private final RegionRing ring;
  private final ArrayDeque<Look> looks = new ArrayDeque<>();

  /** Number of regions that were ever added. */
  private long came;

  private long early;
  private @Nullable Thread thread;

  /**
   * @param maxBytes the most bytes that rest; 0: none
   * @param quarantineNanos how long they rest; 0: not at all
   * @param maxRegions the most regions that rest, at least 1
   * @param nanoClock as {@link System#nanoTime}
   */
  MemoryQuarantine(long maxBytes, long quarantineNanos, int maxRegions, LongSupplier nanoClock) {
    this(
        maxBytes,
        quarantineNanos,
        maxRegions,
        nanoClock,
        new RegionRing(Math.min(FIRST_REGIONS, maxRegions)));
  }

  /** As above, with a ring of the caller's. */
  MemoryQuarantine(
      long maxBytes,
      long quarantineNanos,
      int maxRegions,
      LongSupplier nanoClock,
      RegionRing ring) {
    this.maxBytes = maxBytes;
    this.quarantineNanos = quarantineNanos;
    this.nanoClock = nanoClock;
    this.maxRegions = maxRegions;
    this.ring = ring;
  }

  private static MemoryQuarantine ofSettings() {
    return new MemoryQuarantine(
        Settings.number(BYTES_KEY, DEFAULT_BYTES, 0L, Long.MAX_VALUE),
        TimeUnit.MILLISECONDS.toNanos(
            Settings.number(MILLIS_KEY, DEFAULT_MILLIS, 0L, TimeUnit.HOURS.toMillis(1))),
        MAX_REGIONS,
        System::nanoTime);
  }

  /**
   * Returns the quarantine of small memory: that of unpooled buffers. It keeps up to {@code
   * -Dcistern.memory.quarantineBytes} bytes, 64 MiB by default, for {@code
   * -Dcistern.memory.quarantineMillis}, 1000 by default, or somewhat longer.
   */
  public static MemoryQuarantine shared() {
    return Shared.INSTANCE;
  }

  /**
   * Returns the quarantine of blocks of {@link NativeMemory}, with the same settings. It is another
   * one, so that many small buffers do not displace blocks.
   */
  public static MemoryQuarantine ofBlocks() {
    return Blocks.INSTANCE;
  }

  /**
   * Returns the handle of a region of this size that no longer is in quarantine: that which was
   * added last. Its memory contains old data.
   *
   * @param bytes the size, more than 0
   * @param alignment of its address: 0, or a power of two
   * @param unmapper with which it was added
   * @return null if there is none
   */
  public synchronized @Nullable Object takeBack(long bytes, int alignment, Unmapper unmapper) {
    if (ring.totalBytes() < bytes) {
      return null;
    }
    Object handle = ring.takeNewest(bytes, Math.max(1, alignment), unmapper);
    Look last = looks.peekLast();
    long covered = last == null ? 0 : last.came;
    while (came > covered && ring.dropEmptyLast()) { // places that no time is known for
      came--;
    }
    return handle;
  }

  /**
   * Keeps memory for a while, and has it freed then.
   *
   * @param address the address of the first byte, if the unmapper or {@link #takeBack} needs that
   * @param bytes the size
   * @param handle what else the unmapper needs
   * @param unmapper called once, in any thread; what it throws is logged, unless it is called here
   *     and now because the memory cannot be kept
   */
  public void add(long address, long bytes, @Nullable Object handle, Unmapper unmapper) {
    RegionRing.Taken surplus = null;
    boolean isKept = quarantineNanos > 0 && bytes <= maxBytes;
    if (isKept) {
      try {
        surplus = addLocked(address, bytes, handle, unmapper);
      } catch (OutOfMemoryError | StackOverflowError failed) {
        isKept = false; // nothing was added
      }
    }
    if (!isKept) {
      countEarly();
      try {
        unmapper.unmap(address, bytes, handle);
      } catch (OutOfMemoryError | StackOverflowError failed) {
        if (!addAgain(address, bytes, handle, unmapper)) {
          throw failed;
        }
      }
      return;
    }
    if (surplus != null) {
      free(surplus);
      if (surplus.bytes() < bytes) { // otherwise as much was freed as was added
        freeAbove(maxBytes);
      }
    }
  }

  /** Frees the oldest until up to so many bytes remain; a negative number: all. */
  private void freeAbove(long bytes) {
    try {
      int regions = size(); // what cannot be freed now comes back, and must not be tried for ever
      for (RegionRing.Taken surplus; regions > 0 && (surplus = takeAbove(bytes)) != null; ) {
        free(surplus);
        regions--;
      }
    } catch (OutOfMemoryError fullHeap) {
      // The rest stays: the next region that is added, or the daemon, frees it.
    }
  }

  private synchronized void countEarly() {
    early++;
  }

  /** Adds one; returns one that has to be freed instead, if any. */
  private synchronized RegionRing.@Nullable Taken addLocked(
      long address, long bytes, @Nullable Object handle, Unmapper unmapper) {
    boolean isPlaceNeeded = ring.size() == maxRegions;
    if (ring.isFull() && !isPlaceNeeded) {
      ring.grow((int) Math.min(maxRegions, ring.length() * 2L));
    }
    boolean isTooMuch = isPlaceNeeded || ring.totalBytes() > maxBytes - bytes;
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
    if (first != null && first.bytes() > 0) {
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
    boolean isLater =
        (failed instanceof OutOfMemoryError || failed instanceof StackOverflowError)
            && addAgain(taken.address(), taken.bytes(), taken.handle(), taken.unmapper());
    if (failed != null && !isLater) {
      report(taken.bytes(), failed);
    }
  }

  /**
   * Has a region freed later that cannot be freed now. Neither allocates nor calls the unmapper.
   * The parameters are those of {@link #add}.
   *
   * @return whether there was room
   */
  public synchronized boolean addAgain(
      long address, long bytes, @Nullable Object handle, Unmapper unmapper) {
    if (ring.isFull()) {
      return false;
    }
    ring.add(address, bytes, handle, unmapper);
    came++;
    if (thread == null) {
      startThread();
    }
    return true;
  }

  private synchronized int size() {
    return ring.size();
  }

  private static void report(long keptBytes, Throwable failed) {
    try {
      System.getLogger(MemoryQuarantine.class.getName())
          .log(
              System.Logger.Level.ERROR,
              "cannot free " + keptBytes + " bytes of native memory",
              failed);
    } catch (RuntimeException | Error logFailed) {
      // The report is lost; the other regions must be freed all the same.
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
      looks.add(new Look(came, now + quarantineNanos));
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
   * Frees all regions, because memory is short. Waits up to 100 ms for regions that other threads
   * are freeing.
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
        if (requests == MAX_REQUESTS || !freeAll(freedBefore)) {
          throw refused;
        }
      }
    }
  }

  /** How many regions that rested have been freed so far, whatever the reason. */
  long freedRegions() {
    return freed.get();
  }

  /** Returns the bytes in quarantine. */
  public synchronized long quarantinedBytes() {
    return ring.totalBytes();
  }

  /** Returns how many regions were freed early: because of a bound, or because memory was short. */
  public synchronized long freedEarly() {
    return early;
  }

  // The thread

  private void startThread() {
    try {
      Thread started = DaemonThreads.create("cistern-quarantine", this::run);
      started.start();
      thread = started;
    } catch (RuntimeException | Error failed) {
      // No thread can start now: the bounds still hold, and the next region tries again.
      thread = null;
    }
  }

  private void run() {
    try {
      for (int emptyRounds = 0; emptyRounds < 2 || !isOver(); ) {
        Thread.interrupted(); // ignore interrupts: some hosts interrupt every thread
        LockSupport.parkNanos(Math.max(MIN_PAUSE_NANOS, quarantineNanos / 4));
        try {
          freeDue();
        } catch (RuntimeException | Error failed) {
          // Most likely memory is short: the next round may find some.
        }
        emptyRounds = quarantinedBytes() == 0 ? emptyRounds + 1 : 0;
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

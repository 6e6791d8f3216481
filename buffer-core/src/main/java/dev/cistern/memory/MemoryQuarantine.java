/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.internal.BlockHoundPermission;
import dev.cistern.util.internal.DaemonThreads;
import dev.cistern.util.internal.Settings;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that was released, and stays mapped for a while. A thread that uses a buffer just
 * after another thread has released it then reads old data, and does not crash (docs/buffers.md).
 * Until it is freed, a source may take memory back for its next request.
 *
 * <p>The number of bytes is bounded. Beyond that, the oldest memory is freed at once. Memory whose
 * time is over is freed by a daemon thread, which starts with the first memory that is added and
 * ends when none is left. Thread-safe; nothing is freed under the lock.
 *
 * <p>Each unpooled buffer adds its memory at its last release. Reading the clock would take too
 * much time there, so the age of memory is a number of pauses of the daemon thread.
 */
public final class MemoryQuarantine {
  private static final long DEFAULT_BYTES = 64L << 20;
  private static final int DEFAULT_MILLIS = 1000;

  /** Small memory counts as one part in 65,536 of the maximum, which bounds its number. */
  private static final int MIN_WEIGHT_SHIFT = 16;

  /** Number of whole pauses of the daemon thread for which memory stays. */
  static final int PAUSES = 4;

  /**
   * How often a refused request is repeated while threads free quarantined memory: further threads
   * may allocate what was freed.
   */
  static final int MAX_REQUESTS = 64;

  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final MemoryQuarantine SHARED = ofSettings();
  private static final MemoryQuarantine BLOCKS = ofSettings();

  private final long maxBytes;
  private final int pauseMillis;

  /** Number of objects that were taken out to be freed and then were freed, or added again. */
  private final AtomicLong freed = new AtomicLong();

  // All that follows is guarded by this object's lock.
  private @Nullable MappedMemory oldest;
  private @Nullable MappedMemory newest;
  private int size;
  private long quarantinedBytes;

  /** Number of objects that were ever taken out to be freed. */
  private long taken;

  /** Number of pauses of the daemon thread until now. */
  private int pause;

  /** The value of {@link #pause} when memory was last added. */
  private int lastAdded;

  private @Nullable Thread thread;

  /**
   * @param maxBytes the maximum of bytes in quarantine; 0: none
   * @param millis how long memory stays, at least; 0: no quarantine
   */
  MemoryQuarantine(long maxBytes, int millis) {
    this.maxBytes = maxBytes;
    this.pauseMillis = (millis + PAUSES - 1) / PAUSES;
  }

  private static MemoryQuarantine ofSettings() {
    return new MemoryQuarantine(
        Settings.number("memory.quarantineBytes", DEFAULT_BYTES, 0L, Long.MAX_VALUE),
        Settings.number(
            "memory.quarantineMillis", DEFAULT_MILLIS, 0, (int) TimeUnit.HOURS.toMillis(1)));
  }

  /**
   * Returns the quarantine of small memory: that of unpooled buffers. It keeps up to {@code
   * -Dcistern.memory.quarantineBytes} bytes, 64 MiB by default, for {@code
   * -Dcistern.memory.quarantineMillis}, 1000 by default, or somewhat longer.
   */
  public static MemoryQuarantine shared() {
    return SHARED;
  }

  /**
   * Returns the quarantine of blocks of {@link NativeMemory}, with the same settings. It is another
   * one, so that many small buffers do not displace blocks.
   */
  public static MemoryQuarantine ofBlocks() {
    return BLOCKS;
  }

  /**
   * Keeps memory for a while, and frees it then. Frees it now if the quarantine is too small for
   * it. What fails is logged.
   */
  public void add(MappedMemory memory) {
    MappedMemory surplus;
    try {
      surplus = addOrReturn(memory);
    } catch (StackOverflowError noStack) { // no call here: the stack has ended
      boolean isAdded = memory.older != null || memory.newer != null || newest == memory;
      surplus = isAdded ? null : memory;
    }
    while (surplus != null && free(surplus)) {
      // Usually as much was freed as was added, and the lock is not needed again.
      surplus = surplus.bytes() < memory.bytes() ? takeAbove(maxBytes) : null;
    }
  }

  /** Adds memory that {@code Unsafe.freeMemory} can free. */
  public void add(long address, long bytes) {
    long displaced = displace(address, bytes);
    if (displaced != 0) {
      MemoryAccess.free(displaced);
      return;
    }
    MappedMemory memory;
    try {
      memory = new MappedMemory.OfMalloc(address, bytes);
    } catch (OutOfMemoryError fullHeap) {
      MemoryAccess.free(address);
      return;
    }
    add(memory);
  }

  /**
   * Adds small memory in the place of the oldest, if the quarantine is full, and reuses its object:
   * otherwise the garbage collector would copy thousands of new ones.
   *
   * @return the address of what must be freed instead; 0 if nothing was added
   */
  private synchronized long displace(long address, long bytes) {
    if (!(oldest instanceof MappedMemory.OfMalloc reused)
        || reused.bytes() < Math.max(1, bytes) // memory of 0 bytes has no address
        || quarantinedBytes <= maxBytes - bytes) {
      return 0;
    }
    long displaced = reused.address();
    unlink(reused);
    reused.become(address, bytes);
    append(reused);
    return displaced;
  }

  /** Adds the memory of a direct buffer that has a cleaner. */
  void add(ByteBuffer direct) {
    MappedMemory memory;
    try {
      memory = new MappedMemory.OfBuffer(direct);
    } catch (OutOfMemoryError fullHeap) {
      MemoryAccess.invokeCleaner(direct);
      return;
    }
    add(memory);
  }

  /** Adds memory; returns memory that must be freed instead, if any. */
  private synchronized @Nullable MappedMemory addOrReturn(MappedMemory memory) {
    if (pauseMillis == 0 || memory.bytes() > maxBytes) {
      taken++;
      return memory;
    }
    append(memory);
    return takeAbove(maxBytes);
  }

  private synchronized void append(MappedMemory memory) {
    long weight = weight(memory); // calls come first: the stack may end at one
    memory.pause = pause;
    lastAdded = pause;
    memory.older = newest;
    if (newest == null) {
      oldest = memory;
    } else {
      newest.newer = memory;
    }
    newest = memory;
    size++;
    quarantinedBytes += weight;
    if (thread == null) {
      startThread();
    }
  }

  private long weight(MappedMemory memory) {
    return Math.max(memory.bytes(), maxBytes >> MIN_WEIGHT_SHIFT);
  }

  private void unlink(MappedMemory memory) {
    long weight = weight(memory);
    MappedMemory older = memory.older;
    MappedMemory newer = memory.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    memory.older = null;
    memory.newer = null;
    size--;
    quarantinedBytes -= weight;
  }

  /**
   * Returns memory that no longer is in quarantine: that of this type, size and alignment which was
   * added last. It contains old data.
   *
   * @param bytes the size, more than 0
   * @param alignment of its address: 0, or a power of two
   * @return null if there is none
   */
  public synchronized <M extends MappedMemory> @Nullable M takeBack(
      Class<M> type, long bytes, int alignment) {
    long unaligned = Math.max(1, alignment) - 1L;
    for (MappedMemory each = newest; each != null; each = each.older) {
      if (each.bytes() == bytes && (each.address() & unaligned) == 0 && type.isInstance(each)) {
        unlink(each);
        return type.cast(each);
      }
    }
    return null;
  }

  /** Takes the oldest memory out if there are more bytes than these; a negative number: always. */
  private synchronized @Nullable MappedMemory takeAbove(long bytes) {
    return quarantinedBytes > bytes ? takeOldest() : null;
  }

  private synchronized @Nullable MappedMemory takeDue() {
    return oldest != null && pause - oldest.pause > PAUSES ? takeOldest() : null;
  }

  private @Nullable MappedMemory takeOldest() {
    MappedMemory memory = oldest;
    if (memory != null) {
      unlink(memory);
      taken++;
    }
    return memory;
  }

  /** Frees memory that was taken out; returns false if it is added again, to be freed later. */
  private boolean free(MappedMemory memory) {
    boolean isFreed = false;
    Throwable failure = null;
    try {
      isFreed = memory.tryFree();
    } catch (OutOfMemoryError | StackOverflowError later) {
      // The Java heap or the stack is full.
    } catch (RuntimeException | Error failed) {
      failure = failed;
    }
    boolean isDone = isFreed || failure != null;
    try {
      if (!isDone) {
        append(memory);
      }
    } finally {
      freed.incrementAndGet(); // before the report: a log of the host may request memory
    }
    if (failure != null) {
      report(memory.bytes(), failure);
    }
    return isDone;
  }

  private static void report(long keptBytes, Throwable failed) {
    try {
      System.getLogger(MemoryQuarantine.class.getName())
          .log(
              System.Logger.Level.ERROR,
              "cannot free " + keptBytes + " bytes of native memory",
              failed);
    } catch (RuntimeException | Error logFailed) {
      // The report is lost; the other memory must be freed all the same.
    }
  }

  /**
   * Frees all memory, because memory is short. Waits up to 100 ms for memory that other threads are
   * freeing.
   */
  public void freeAll() {
    boolean unused = freeAll(freed.get());
  }

  /**
   * As {@link #freeAll()}, for a thread that was refused memory.
   *
   * @param freedBefore {@link #freed} before the refused request
   * @return whether anything was in quarantine, or being freed, during that request or since:
   *     another request may succeed
   */
  private boolean freeAll(long freedBefore) {
    MappedMemory memory;
    // What cannot be freed is added again, and must not be tried for ever.
    for (int tries = size(); tries > 0 && (memory = takeAbove(-1)) != null; tries--) {
      boolean unused = free(memory);
    }
    long takenUntilNow = taken(); // memory that is taken out from here on is not waited for
    awaitFreed(takenUntilNow);
    return takenUntilNow != freedBefore;
  }

  private synchronized int size() {
    return size;
  }

  private synchronized long taken() {
    return taken;
  }

  /**
   * Waits until other threads have freed the memory that they took out. It does not park: that
   * could use up the permit of a thread of the application.
   */
  private void awaitFreed(long number) {
    if (freed.get() >= number) {
      return;
    }
    long start = System.nanoTime();
    Object permission = BlockHoundPermission.begin();
    try {
      for (int i = 0; freed.get() < number && System.nanoTime() - start < MAX_WAIT_NANOS; i++) {
        BlockHoundPermission.pause(i);
      }
    } finally {
      BlockHoundPermission.end(permission);
    }
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
  public <T> T allocateWithRetry(IntFunction<T> source, int bytes) {
    for (int requests = 1; ; requests++) {
      long freedBefore = freed.get();
      try {
        return source.apply(bytes);
      } catch (OutOfMemoryError refused) {
        if (requests == MAX_REQUESTS || !freeAll(freedBefore)) {
          throw refused;
        }
      }
    }
  }

  /**
   * Returns the bytes in quarantine, as they count against the maximum: small memory counts as at
   * least 1/65,536 of it.
   */
  public synchronized long quarantinedBytes() {
    return quarantinedBytes;
  }

  // The thread

  private void startThread() {
    try {
      Thread started = DaemonThreads.create("cistern-quarantine", this::run);
      started.start();
      thread = started;
    } catch (RuntimeException | Error failed) {
      // No thread can start now: the bounds still hold, and the next memory tries again.
    }
  }

  private void run() {
    while (!isOver()) {
      try {
        Thread.sleep(pauseMillis);
        endPause();
      } catch (InterruptedException ignored) {
        // Some hosts interrupt every thread: the pause begins again.
      } catch (RuntimeException | Error failed) {
        // Most likely memory is short: the next round may find some.
      }
    }
  }

  /** Counts a pause of the daemon thread, and frees the memory whose time is over. */
  void endPause() {
    synchronized (this) {
      pause++;
    }
    for (MappedMemory due; (due = takeDue()) != null; ) {
      boolean unused = free(due);
    }
  }

  /** If so, the next memory starts another thread. */
  private synchronized boolean isOver() {
    boolean isOver = oldest == null && pause - lastAdded > 1;
    if (isOver) {
      thread = null;
    }
    return isOver;
  }

  /** Whether there is a thread. */
  synchronized boolean isWatched() {
    return thread != null;
  }
}

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
 * Until the memory is freed, a source may take it back for its next request.
 *
 * <p>The number of bytes is bounded. Beyond the bound, the oldest memory is freed at once. A daemon
 * thread frees memory whose time is over. It starts with the first memory that is added, and ends
 * when none is left. Thread-safe; nothing is freed under the lock.
 *
 * <p>Each unpooled buffer adds its memory at its last release. Reading the clock would take too
 * much time there, so the age of memory is a number of pauses of the daemon thread.
 */
public final class MemoryQuarantine {
  private static final long DEFAULT_BYTES = 64L << 20;
  private static final int DEFAULT_MILLIS = 1000;

  /**
   * The logarithm of the maximum number of small parts: small memory counts as at least 1/65,536 of
   * the maximum.
   */
  private static final int MIN_WEIGHT_SHIFT = 16;

  /** Number of whole pauses of the daemon thread for which memory stays. */
  static final int PAUSES = 4;

  /**
   * The maximum number of times that a refused request is repeated while threads free quarantined
   * memory, because other threads may allocate the freed memory.
   */
  static final int MAX_REQUESTS = 64;

  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final MemoryQuarantine SHARED = ofSettings();
  private static final MemoryQuarantine BLOCKS = ofSettings();

  private final long maxBytes;
  private final int pauseMillis;

  /** Number of objects that were removed to be freed, and then were freed or added again. */
  private final AtomicLong freed = new AtomicLong();

  // The fields below are guarded by the lock of this object.
  private @Nullable MappedMemory oldest;
  private @Nullable MappedMemory newest;
  private int size;
  private long quarantinedBytes;

  /** Number of objects that were removed to be freed, since start. */
  private long taken;

  /** Number of pauses of the daemon thread until now. */
  private int pause;

  /** The value of {@link #pause} when memory was last added. */
  private int lastAdded;

  private @Nullable Thread thread;

  /**
   * @param maxBytes the maximum of bytes in quarantine; 0 for no quarantine
   * @param millis the minimum time that memory stays, in milliseconds; 0 for no quarantine
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
   * -Dcistern.memory.quarantineMillis}, 1000 by default, or slightly longer.
   */
  public static MemoryQuarantine shared() {
    return SHARED;
  }

  /**
   * Returns the quarantine of blocks of {@link NativeMemory}, with the same settings. It is
   * separate, so that many small buffers do not displace blocks.
   */
  public static MemoryQuarantine ofBlocks() {
    return BLOCKS;
  }

  /**
   * Adds memory, which is freed later; frees it now if the quarantine is too small for it. Failures
   * are logged.
   */
  public void add(MappedMemory memory) {
    MappedMemory surplus;
    try {
      surplus = addOrReturn(memory);
    } catch (StackOverflowError noStack) { // no calls here: the stack is full
      boolean isAdded = memory.older != null || memory.newer != null || newest == memory;
      surplus = isAdded ? null : memory;
    }
    while (surplus != null && free(surplus)) {
      // Usually as many bytes were freed as were added, and the lock is not needed again.
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
   * Replaces the oldest memory by new small memory if the quarantine is full, and reuses the
   * object. Otherwise the garbage collector would copy thousands of new objects.
   *
   * @return the address of the memory that the caller must free instead; 0 if nothing was added
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

  /** Adds memory. Returns memory that the caller must free instead, or null. */
  private synchronized @Nullable MappedMemory addOrReturn(MappedMemory memory) {
    if (pauseMillis == 0 || memory.bytes() > maxBytes) {
      taken++;
      return memory;
    }
    append(memory);
    return takeAbove(maxBytes);
  }

  private synchronized void append(MappedMemory memory) {
    long weight = weight(memory); // all calls come first: the stack may overflow in one
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
   * Removes and returns the most recent memory of this type, size and alignment. It contains old
   * data.
   *
   * @param bytes the size, more than 0
   * @param alignment the alignment of the address: 0, or a power of two
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

  /**
   * Removes and returns the oldest memory if there are more than {@code bytes} bytes, or always for
   * a negative number; otherwise returns null.
   */
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

  /**
   * Frees memory that was removed. Returns false if the memory is added again, to be freed later.
   */
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
      freed.incrementAndGet(); // before the report: the host's log may request memory
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
      // The report is lost, but the other memory must still be freed.
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
   * Frees all memory as {@link #freeAll()} does, for a thread whose request was refused.
   *
   * @param freedBefore {@link #freed} before the refused request
   * @return whether any memory was in quarantine, or was being freed, during that request or since,
   *     so that another request may succeed
   */
  private boolean freeAll(long freedBefore) {
    MappedMemory memory;
    // Memory that cannot be freed is added again, and must not be tried without end.
    for (int tries = size(); tries > 0 && (memory = takeAbove(-1)) != null; tries--) {
      boolean unused = free(memory);
    }
    long takenUntilNow = taken(); // does not wait for memory that is removed from here on
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
   * Waits until other threads have freed the memory that they removed. Does not park, which could
   * consume the permit of a thread of the application.
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
   * @param source returns memory of that many bytes, or throws an {@link OutOfMemoryError}. Callers
   *     pass a field and not a new lambda, because linking a lambda in a full Java heap throws an
   *     {@link InternalError}
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

  // Daemon thread

  private void startThread() {
    try {
      Thread started = DaemonThreads.create("cistern-quarantine", this::run);
      started.start();
      thread = started;
    } catch (RuntimeException | Error failed) {
      // No thread can start now. The bounds still hold, and the next call of add tries again.
    }
  }

  private void run() {
    while (!isOver()) {
      try {
        Thread.sleep(pauseMillis);
        endPause();
      } catch (InterruptedException ignored) {
        // Some hosts interrupt every thread. The pause starts again.
      } catch (RuntimeException | Error failed) {
        // Memory is probably short. The next round may find some.
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

  /** Returns whether the daemon thread must end. If so, the next memory starts another thread. */
  private synchronized boolean isOver() {
    boolean isOver = oldest == null && pause - lastAdded > 1;
    if (isOver) {
      thread = null;
    }
    return isOver;
  }

  /** Returns whether there is a daemon thread. */
  synchronized boolean isWatched() {
    return thread != null;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The caches of threads without their own cache: virtual threads, threads above the limit, and all
 * threads if thread caches are off. A thread uses a cache under its lock. A release that finds the
 * lock held is a remote release.
 */
final class SharedCaches {
  /**
   * The number of choices, a power of two. Threads, of which there may be many, share them by their
   * hash.
   */
  private static final int CHOICES = 256;

  private final AtomicReferenceArray<ThreadCache> caches;

  /**
   * The index of the cache that a thread tries first, by the hash of the thread. It is a hint: a
   * thread that finds this cache in use moves to the next one and stays there, so that concurrent
   * threads use different caches.
   */
  private final char[] choices = new char[CHOICES];

  private final BufferPool pool;
  private final LongAdder waits = new LongAdder();

  SharedCaches(BufferPool pool, Arena[] arenas, int count) {
    this.pool = pool;
    this.caches = new AtomicReferenceArray<>(count);
    for (int i = 0; i < count; i++) {
      caches.set(i, pool.caches.createShared(arenas[i % arenas.length]));
    }
    for (int i = 0; i < CHOICES; i++) {
      choices[i] = (char) (i % count);
    }
  }

  /** Allocates a slot on the fast path of a cache that is not in use, or returns null. */
  @Nullable Object tryTake(Thread thread, int sizeClass, int bytes) {
    ThreadCache cache = acquireOne(place(thread));
    if (cache == null) {
      return null;
    }
    Object taken = null;
    try {
      taken = cache.tryTakeLocked(sizeClass, bytes);
      cache.lock.releaseWord();
    } catch (Throwable failed) {
      cache.lock.isHeld = false; // no call: with a full stack, other threads would wait forever
      if (taken == null) {
        throw failed;
      }
    }
    return taken;
  }

  private @Nullable ThreadCache acquireOne(int place) {
    ThreadCache cache = caches.get(choices[place]);
    if (cache.lock.tryAcquireWord()) {
      return cache;
    }
    cache = next(place);
    return cache.lock.tryAcquireWord() ? cache : null;
  }

  private static int place(Thread thread) {
    return (int) ((thread.getId() * 0x9E3779B97F4A7C15L) >>> Integer.SIZE) & (CHOICES - 1);
  }

  private ThreadCache next(int place) {
    int next = (choices[place] + 1) % caches.length();
    choices[place] = (char) next;
    return caches.get(next);
  }

  Object allocate(int bytes) {
    StackRoom.require(); // otherwise the lock might stay held
    ThreadCache cache = lockOne();
    Object object;
    long sampledWeight;
    try {
      object = cache.allocate(bytes);
      sampledWeight = cache.takeSampledWeight();
    } finally {
      cache.lock.unlock();
    }
    if (sampledWeight != 0) {
      pool.report.sampled(object, bytes, sampledWeight, cache.sampler);
    }
    return object;
  }

  private ThreadCache lockOne() {
    int first = choices[place(Thread.currentThread())];
    for (int i = 0; i < caches.length(); i++) {
      ThreadCache cache = caches.get((first + i) % caches.length());
      if (tryLock(cache)) {
        return cache;
      }
    }
    requireNoneHeld();
    OomRetry.increment(waits);
    for (; ; ) {
      ThreadCache cache = caches.get(first);
      cache.lock.lock();
      if (!cache.isReplaced) {
        return cache;
      }
      cache.lock.unlock();
    }
  }

  /** Locks a cache that is neither replaced nor in use; returns false otherwise. */
  private static boolean tryLock(ThreadCache cache) {
    if (!cache.lock.tryLock()) {
      return false;
    }
    if (cache.isReplaced) {
      cache.lock.unlock();
      return false;
    }
    return true;
  }

  /**
   * Checks that the calling thread has locked no cache. Otherwise it must not wait for another one,
   * whose user may wait for the first.
   *
   * @throws IllegalStateException if the calling thread has locked a cache: its caller must not
   *     allocate
   */
  private void requireNoneHeld() {
    for (int i = 0; i < caches.length(); i++) {
      if (caches.get(i).lock.isHeldByCurrentThread()) {
        throw new IllegalStateException(
            "cannot allocate during another allocation of the same thread: all "
                + caches.length()
                + " shared caches are in use (setting: sharedCaches); SlotBinder.bind must not"
                + " allocate");
      }
    }
  }

  /** Trims the caches that are not in use. */
  void trim() {
    for (ThreadCache cache : all()) {
      if (tryLock(cache)) {
        try {
          cache.trim();
        } finally {
          cache.lock.unlock();
        }
      }
    }
  }

  /**
   * Replaces the shared caches among {@code those} with new ones. If this fails, {@code replaced}
   * contains the caches that were replaced before. The caller holds the lock of {@link
   * ThreadCaches}.
   *
   * @param waits whether to wait for caches that are in use; otherwise they are kept
   * @param replaced receives the old caches, which are no longer in use; has room for all
   */
  void replace(List<ThreadCache> those, boolean waits, List<ThreadCache> replaced) {
    for (int i = 0; i < caches.length(); i++) {
      ThreadCache before = caches.get(i);
      if (those.contains(before)) {
        ThreadCache next = pool.caches.createShared(before.arena);
        if (waits) {
          before.lock.lock();
        } else if (!before.lock.tryLock()) {
          pool.caches.keepCounters(next);
          continue;
        }
        try {
          before.isReplaced = true;
          caches.set(i, next);
        } finally {
          before.lock.unlock();
        }
        before.isRetiring = true;
        replaced.add(before);
      }
    }
  }

  long waits() {
    return waits.sum();
  }

  List<ThreadCache> all() {
    List<ThreadCache> all = new ArrayList<>(caches.length());
    for (int i = 0; i < caches.length(); i++) {
      all.add(caches.get(i));
    }
    return all;
  }
}

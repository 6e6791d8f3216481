/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The caches of threads that get none of their own: virtual threads, and all threads where caches
 * are turned off. Each is used under its lock; a release that finds it held is a remote one.
 */
final class SharedCaches {
  /** A power of two: threads, of which there may be very many, by their hash. */
  private static final int CHOICES = 256;

  private final AtomicReferenceArray<ThreadCache> caches;

  /**
   * Which cache the threads of a place try first. A hint: a thread that finds that one in use goes
   * to the next and stays there, so that threads which run at the same time use different caches.
   */
  private final char[] choices = new char[CHOICES];

  private final BufferPool pool;
  private final LongAdder waits = new LongAdder();

  SharedCaches(BufferPool pool, Arena[] arenas, int count) {
    this.pool = pool;
    this.caches = new AtomicReferenceArray<>(count);
    for (int i = 0; i < count; i++) {
      caches.set(i, pool.threadCaches().createShared(arenas[i % arenas.length]));
    }
    for (int i = 0; i < CHOICES; i++) {
      choices[i] = (char) (i % count);
    }
  }

  /** Takes a slot if one is at hand in a cache that no thread uses; null otherwise. */
  @Nullable Object tryTake(Thread thread, int sizeClass, int bytes) {
    ThreadCache cache = holdOne(place(thread));
    if (cache == null) {
      return null;
    }
    Object taken = null;
    try {
      taken = cache.takeHeld(sizeClass, bytes);
      cache.lock.letGo();
    } catch (Throwable failed) {
      cache.lock.held = false; // no call: there may be no stack, and other threads wait without end
      if (taken == null) {
        throw failed;
      }
    }
    return taken;
  }

  private @Nullable ThreadCache holdOne(int place) {
    ThreadCache cache = caches.get(choices[place]);
    if (cache.lock.tryHold()) {
      return cache;
    }
    cache = next(place);
    return cache.lock.tryHold() ? cache : null;
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
    StackRoom.require(); // else the lock might not be given back
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
      pool.sampled(object, bytes, sampledWeight, cache.sampler);
    }
    return object;
  }

  private ThreadCache lockOne() {
    int first = choices[place(Thread.currentThread())];
    for (int i = 0; i < caches.length(); i++) {
      ThreadCache cache = caches.get((first + i) % caches.length());
      if (cache.lock.tryLock()) {
        if (!cache.givenUp) {
          return cache;
        }
        cache.lock.unlock();
      }
    }
    requireNoneHeld();
    OomRetry.increment(waits);
    return lockWaiting(first);
  }

  /**
   * A thread that has a cache must not wait for another: its user may be waiting for the first.
   *
   * @throws IllegalStateException if the caller has one: what it is called from must not allocate
   */
  private void requireNoneHeld() {
    for (int i = 0; i < caches.length(); i++) {
      if (caches.get(i).lock.isHeldByCurrentThread()) {
        throw new IllegalStateException(
            "allocation while the same thread's is under way, with all "
                + caches.length()
                + " shared caches in use (setting: sharedCaches); SlotBinder.bind must not"
                + " allocate");
      }
    }
  }

  private ThreadCache lockWaiting(int index) {
    for (; ; ) {
      ThreadCache cache = caches.get(index);
      cache.lock.lock();
      if (!cache.givenUp) {
        return cache;
      }
      cache.lock.unlock();
    }
  }

  /** Trims those that no thread uses at the moment. */
  void trim() {
    for (ThreadCache cache : all()) {
      if (cache.lock.tryLock()) {
        try {
          if (!cache.givenUp) {
            cache.trim();
          }
        } finally {
          cache.lock.unlock();
        }
      }
    }
  }

  int count() {
    return caches.length();
  }

  /**
   * Replaces those of the listed caches that are shared with fresh ones. Under the lock of {@link
   * ThreadCaches}.
   *
   * @param waits whether to wait for caches that are in use; otherwise they stay
   * @param replaced gets the old ones, which no thread uses any more; has room for all
   */
  void replace(List<ThreadCache> those, boolean waits, List<ThreadCache> replaced) {
    for (int i = 0; i < caches.length(); i++) {
      ThreadCache before = caches.get(i);
      if (those.contains(before)) {
        ThreadCache fresh = pool.threadCaches().createShared(before.arena);
        if (replace(i, before, fresh, waits)) {
          before.isEnded = true;
          replaced.add(before);
        } else {
          pool.threadCaches().keepCounters(fresh);
        }
      }
    }
  }

  private boolean replace(int index, ThreadCache before, ThreadCache fresh, boolean waits) {
    if (waits) {
      before.lock.lock();
    } else if (!before.lock.tryLock()) {
      return false;
    }
    try {
      before.givenUp = true;
      caches.set(index, fresh);
      return true;
    } finally {
      before.lock.unlock();
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

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
 * are turned off. Each is used under its lock, and every release into one is remote.
 */
final class SharedCaches {
  private final AtomicReferenceArray<ThreadCache> caches;
  private final BufferPool pool;
  private final LongAdder waits = new LongAdder();

  SharedCaches(BufferPool pool, Arena[] arenas, int count) {
    this.pool = pool;
    this.caches = new AtomicReferenceArray<>(count);
    for (int i = 0; i < count; i++) {
      caches.set(i, new ThreadCache(pool, arenas[i % arenas.length], null));
    }
  }

  Object allocate(int bytes) {
    ThreadCache cache = lockOne();
    try {
      return cache.allocate(bytes);
    } finally {
      cache.lock.unlock();
    }
  }

  private ThreadCache lockOne() {
    // Not the remainder: a subclass may say that its id is less than 0.
    int first = Math.floorMod(Thread.currentThread().getId(), caches.length());
    for (int i = 0; i < caches.length(); i++) {
      ThreadCache cache = caches.get((first + i) % caches.length());
      if (cache.lock.tryLock()) {
        if (!cache.givenUp) {
          return cache;
        }
        cache.lock.unlock();
      }
    }
    ShortHeap.increment(waits);
    return lockWaiting(first);
  }

  @SuppressWarnings("LockNotBeforeTry") // the caller gets the cache locked
  private ThreadCache lockWaiting(int index) {
    for (; ; ) {
      ThreadCache cache = caches.get(index);
      ShortHeap.lock(cache.lock);
      if (!cache.givenUp) {
        return cache;
      }
      cache.lock.unlock();
    }
  }

  /** Trims those that nobody uses at the moment. */
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

  /**
   * Puts fresh caches in the place of those that are listed, and returns the old ones, which nobody
   * uses any more.
   */
  List<ThreadCache> replace(List<ThreadCache> those) {
    List<ThreadCache> replaced = new ArrayList<>(caches.length());
    @Nullable ThreadCache[] fresh =
        new ThreadCache[caches.length()]; // all of them first: this may fail
    for (int i = 0; i < fresh.length; i++) {
      if (those.contains(caches.get(i))) {
        fresh[i] = new ThreadCache(pool, caches.get(i).arena, null);
      }
    }
    for (int i = 0; i < fresh.length; i++) {
      ThreadCache next = fresh[i];
      if (next != null) {
        replaced.add(caches.get(i));
        replace(i, caches.get(i), next);
      }
    }
    return replaced;
  }

  private void replace(int index, ThreadCache before, ThreadCache fresh) {
    ShortHeap.lock(before.lock);
    try {
      before.givenUp = true;
      caches.set(index, fresh);
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The caches of threads that get none of their own: virtual threads, and all threads where caches
 * are turned off. Each is used under its lock, and every release into one is remote.
 */
final class SharedCaches {
  private final ThreadCache[] caches;
  private final LongAdder waits = new LongAdder();

  SharedCaches(BufferPool pool, Arena[] arenas, int count) {
    this.caches = new ThreadCache[count];
    for (int i = 0; i < count; i++) {
      caches[i] = new ThreadCache(pool, arenas[i % arenas.length], null);
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
    int first = Threads.hash(Thread.currentThread()) & Integer.MAX_VALUE;
    for (int i = 0; i < caches.length; i++) {
      ThreadCache cache = caches[(first + i) % caches.length];
      if (cache.lock.tryLock()) {
        return cache;
      }
    }
    waits.increment();
    ThreadCache cache = caches[first % caches.length];
    cache.lock.lock();
    return cache;
  }

  /** Trims those that nobody uses at the moment. */
  void trim() {
    for (ThreadCache cache : caches) {
      if (cache.lock.tryLock()) {
        try {
          cache.trim();
        } finally {
          cache.lock.unlock();
        }
      }
    }
  }

  /** Leaves the groups of all; they fill again when used. */
  void trimCompletely() {
    for (ThreadCache cache : caches) {
      cache.lock.lock();
      try {
        cache.trim();
      } finally {
        cache.lock.unlock();
      }
    }
  }

  long waits() {
    return waits.sum();
  }

  List<ThreadCache> all() {
    return new ArrayList<>(List.of(caches));
  }
}

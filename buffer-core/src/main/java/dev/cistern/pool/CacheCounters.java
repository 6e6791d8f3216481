/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a thread cache. They outlive the cache: the next cache of the same arena
 * continues them. So totals never decrease, and a snapshot reads the counters of all caches that
 * the pool ever had.
 */
final class CacheCounters {
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle TRIMS;

  static {
    try {
      TRIMS = MethodHandles.lookup().findVarHandle(CacheCounters.class, "trims", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  // Places in an arena's part of {@link #remoteByArena}.
  private static final int SMALL = 0;
  private static final int NORMAL = 1;
  private static final int BYTES = 2;
  private static final int PLACES = 3;

  final Arena arena;

  /** The counters that were created before these, or null. */
  final @Nullable CacheCounters older;

  /** The next spare counters, if no cache uses these. Guarded by the lock of ThreadCaches. */
  @Nullable CacheCounters nextSpare;

  /**
   * The counters of the bins by size class. The owner creates them on first use, and snapshots read
   * them.
   */
  private final @Nullable BinCounters[] bins;

  private final int smallCount;

  // Releases by this cache's owner of slots that other threads own: plain stores, acquire loads.
  private final long[] remoteByClass;
  private final long[] remoteByArena;

  /** The number of trims. Written by the owner. */
  long trims;

  CacheCounters(Arena arena, int arenas, SizeClasses sizes, @Nullable CacheCounters older) {
    this.arena = arena;
    this.older = older;
    this.smallCount = sizes.smallCount();
    this.bins = new BinCounters[sizes.count()];
    this.remoteByClass = new long[sizes.count()];
    this.remoteByArena = new long[arenas * PLACES];
  }

  // ---- the owner's side

  BinCounters bin(int sizeClass, int slotBytes) {
    BinCounters bin = bins[sizeClass];
    if (bin == null) {
      bin = new BinCounters(sizeClass, slotBytes);
      bins[sizeClass] = bin;
    }
    return bin;
  }

  /**
   * Counts a release of a slot that another thread owns. A failure leaves all counters unchanged.
   */
  void countRemoteRelease(SlotGroup group) {
    int part = group.arena.index * PLACES;
    int kind = part + (group.sizeClass < smallCount ? SMALL : NORMAL);
    int bytes = group.slotBytes();
    remoteByClass[group.sizeClass]++; // no call from here
    remoteByArena[kind]++;
    remoteByArena[part + BYTES] += bytes;
  }

  // ---- any thread

  long readTrims() {
    return (long) TRIMS.getOpaque(this);
  }

  /** Returns the counters by size class; null for a class that was never used. */
  @Nullable BinCounters[] bins() {
    return bins;
  }

  /**
   * Returns the number of this cache's slots that the owner allocated or released. Releases of
   * other caches' slots do not count, because they do not use this cache.
   */
  long readOperations() {
    long sum = 0;
    for (BinCounters bin : bins) {
      if (bin != null) {
        sum += bin.readReleases() + bin.readAllocations();
      }
    }
    return sum;
  }

  /** Returns about the number of free bytes in the owner's lists. */
  long readCachedBytes() {
    long bytes = 0;
    for (BinCounters bin : bins) {
      if (bin != null) {
        bytes += bin.readCachedSlots() * bin.slotBytes;
      }
    }
    return bytes;
  }

  void reportRemoteReleases(SnapshotBuilder snapshot) {
    for (int sizeClass = 0; sizeClass < remoteByClass.length; sizeClass++) {
      snapshot.addRemoteReleases(sizeClass, read(remoteByClass, sizeClass));
    }
    for (int part = 0; part < remoteByArena.length; part += PLACES) {
      snapshot.addArenaReleases(
          part / PLACES,
          read(remoteByArena, part + SMALL),
          read(remoteByArena, part + NORMAL),
          read(remoteByArena, part + BYTES));
    }
  }

  private static long read(long[] counts, int place) {
    // Acquire, so that later reads see the allocation of each release that is seen here.
    return (long) COUNTS.getAcquire(counts, place);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.stats.AllocatorInfo;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.CisternHook;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The allocator instances of this copy of Netty, in the order in which they were seen: at their
 * creation, at an allocation, or in a static field. References are weak: the list does not keep an
 * instance alive.
 */
final class KnownAllocators {
  /** Limit of listed instances. Hosts have a few, and each takes a line in reports. */
  static final int MAX_LISTED = 64;

  /** Limit of instances that have not allocated, so that there is room for those that do. */
  static final int MAX_UNUSED = MAX_LISTED / 2;

  private static final String NETTY = AbstractByteBufAllocator.class.getPackageName();

  /** Number of slots of the table: a multiple of the limit, so that searches are short. */
  private static final int SLOTS = 8 * MAX_LISTED;

  private static final Object LOCK = new Object();

  /**
   * Hash table by identity, with open addressing. A table is not changed after it is published, so
   * that searches need no lock. Written under the lock.
   */
  private static volatile @Nullable Known[] table = new Known[SLOTS];

  /** The instances in the order of {@link Known#number}; guarded by the lock. */
  private static List<Known> seen = new ArrayList<>();

  /** Number of instances listed since the start; guarded by the lock. */
  private static int count;

  private static final AtomicLong DROPPED = new AtomicLong();

  /**
   * Whether an instance was dropped since the last tick. No instance is added until the next tick.
   */
  private static volatile boolean isFull;

  /** Whether an instance that has not allocated was dropped since the last tick. */
  private static volatile boolean isFullOfUnused;

  /** A weak reference to an instance. */
  static final class Known extends WeakReference<AbstractByteBufAllocator> {
    private final int number;
    private final String type;
    private final long seenMillis = System.currentTimeMillis();
    private volatile String name;
    private volatile String createdBy;

    /** Whether it has allocated. Before that, its constructor may still run. */
    private volatile boolean isUsed;

    private Known(
        AbstractByteBufAllocator allocator, int number, String createdBy, boolean isUsed) {
      super(allocator);
      this.number = number;
      this.type = allocator.getClass().getName();
      this.name = type.substring(type.lastIndexOf('.') + 1) + '-' + number;
      this.createdBy = createdBy;
      this.isUsed = isUsed;
    }

    /** Returns the instance if it is alive and has allocated, otherwise null. */
    @Nullable AbstractByteBufAllocator used() {
      return isUsed ? get() : null;
    }

    private AllocatorInfo info(AbstractByteBufAllocator allocator, Bridge.Service of) {
      boolean isPooled = allocator instanceof PooledByteBufAllocator;
      boolean isDirect = !isPooled || !isUsed || HostAllocatorMetrics.isPooled(allocator, true);
      boolean isHeap = !isPooled || !isUsed || HostAllocatorMetrics.isPooled(allocator, false);
      String reason = "";
      if (!isPooled && !type.equals(NETTY + ".AdaptiveByteBufAllocator")) {
        reason = "only pooled and adaptive allocators of Netty are instrumented";
      } else if (of.label().equals(AllocatorInfo.BYPASSED)) {
        reason = "the mode is off";
      } else if (!isDirect && !isHeap) {
        reason = "it has no arenas";
      }
      boolean isBypassed = !reason.isEmpty();
      if (!isBypassed && isDirect != isHeap) {
        reason =
            "without arenas for " + (isHeap ? "direct" : "heap") + " buffers, which it bypasses";
      }
      return new AllocatorInfo(
          name,
          type,
          createdBy,
          isBypassed ? AllocatorInfo.BYPASSED : of.label(),
          Math.max(seenMillis, of.sinceMillis()),
          reason);
    }

    /** Returns its position in the order in which instances were seen, from 1. */
    int number() {
      return number;
    }
  }

  private KnownAllocators() {}

  /** Lists an instance that allocates. For a listed one, that costs a short search. */
  static void see(AbstractByteBufAllocator allocator) {
    Known known = find(allocator);
    if (known != null) {
      if (!known.isUsed) {
        known.isUsed = true;
      }
    } else if (!isFull) {
      add(allocator, AllocatorInfo.UNKNOWN, true);
    }
  }

  /** Lists an instance whose constructor runs, on the thread that creates it. */
  static void created(AbstractByteBufAllocator allocator) {
    if (!isFullOfUnused) {
      String creator = CisternHook.creator(allocator.getClass(), KnownAllocators.class);
      createdBy(allocator, creator == null ? AllocatorInfo.UNKNOWN : creator);
    }
  }

  /** Lists an instance, or adds its creator to the list. */
  static void createdBy(AbstractByteBufAllocator allocator, String creator) {
    Known known = add(allocator, creator, false);
    if (known != null && known.createdBy.equals(AllocatorInfo.UNKNOWN)) {
      known.createdBy = creator;
    }
  }

  /** Names an instance that a static field of Netty holds, unless it has such a name. */
  static void name(AbstractByteBufAllocator allocator, String name) {
    Known known = find(allocator);
    if (known == null) {
      known = add(allocator, AllocatorInfo.UNKNOWN, false);
    }
    if (known != null && !known.createdBy.equals(AllocatorInfo.NETTY)) {
      known.name = name;
      known.createdBy = AllocatorInfo.NETTY;
    }
  }

  /** Returns the instances that are alive, in the order in which they were seen. */
  static List<AllocatorInfo> inventory(Bridge.Service service) {
    List<AllocatorInfo> all = new ArrayList<>();
    for (Known at : seen()) {
      AbstractByteBufAllocator allocator = at.get();
      if (allocator != null) {
        all.add(at.info(allocator, service));
      }
    }
    return all;
  }

  private static @Nullable Known find(AbstractByteBufAllocator allocator) {
    @Nullable Known[] known = table;
    int slot = slot(allocator);
    for (Known at = known[slot]; at != null; at = known[slot]) {
      if (at.refersTo(allocator)) { // get() would keep it alive
        return at;
      }
      slot = next(slot);
    }
    return null;
  }

  private static int slot(AbstractByteBufAllocator allocator) {
    return System.identityHashCode(allocator) & SLOTS - 1;
  }

  private static int next(int slot) {
    return slot + 1 & SLOTS - 1;
  }

  private static @Nullable Known add(
      AbstractByteBufAllocator allocator, String createdBy, boolean isUsed) {
    if (allocator instanceof SelfTest.Allocator) {
      return null;
    }
    synchronized (LOCK) {
      Known known = find(allocator);
      if (known != null) {
        known.isUsed |= isUsed;
        return known;
      }
      List<Known> live = new ArrayList<>(seen);
      live.removeIf(at -> at.refersTo(null));
      if (live.size() >= (isUsed ? MAX_LISTED : MAX_UNUSED)) {
        DROPPED.incrementAndGet();
        isFullOfUnused = true;
        isFull |= isUsed;
        return null;
      }
      known = new Known(allocator, ++count, createdBy, isUsed);
      live.add(known);
      table = tableOf(live);
      seen = live;
      return known;
    }
  }

  private static @Nullable Known[] tableOf(List<Known> live) {
    @Nullable Known[] made = new Known[SLOTS];
    for (Known at : live) {
      AbstractByteBufAllocator allocator = at.get();
      if (allocator != null) {
        int slot = slot(allocator);
        while (made[slot] != null) {
          slot = next(slot);
        }
        made[slot] = at;
      }
    }
    return made;
  }

  /** Allows additions again. Called once a second, because instances may have been collected. */
  static void tick() {
    isFull = false;
    isFullOfUnused = false;
  }

  /** Returns all entries in the order in which the instances were seen; some may be collected. */
  static List<Known> seen() {
    synchronized (LOCK) {
      return List.copyOf(seen);
    }
  }

  /** Returns the instances that have allocated and are alive. The caller must not keep the list. */
  static List<AbstractByteBufAllocator> list() {
    List<AbstractByteBufAllocator> live = new ArrayList<>();
    for (Known at : seen()) {
      AbstractByteBufAllocator allocator = at.used();
      if (allocator != null) {
        live.add(allocator);
      }
    }
    return live;
  }

  /**
   * Returns how often an instance was dropped because the list was full, counted up to once a
   * second.
   */
  static long dropped() {
    return DROPPED.get();
  }
}

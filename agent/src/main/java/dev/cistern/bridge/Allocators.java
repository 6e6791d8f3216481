/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.AbstractByteBufAllocator;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The allocator instances of this copy of Netty that were seen, in the order of sight. They are
 * held weakly: an instance that the host lets go of is no longer among them.
 */
final class Allocators {
  /** As many are listed: hosts have a handful, and each is a line of reports. */
  static final int MOST = 64;

  /** Slots of the table; a multiple of what it holds, so that a search ends soon. */
  private static final int SLOTS = 8 * MOST;

  private static final Object LOCK = new Object();

  /**
   * By identity hash, with the next slot where one is taken; never changed once it is here, so that
   * it is searched without a lock. Written under the lock.
   */
  private static volatile @Nullable Seen[] table = new Seen[SLOTS];

  /** In the order of sight; guarded by the lock. */
  private static List<Seen> seen = new ArrayList<>();

  /** Instances ever listed; guarded by the lock. */
  private static int count;

  private static final AtomicLong DROPPED = new AtomicLong();

  /** Whether one found no place since the last tick: until the next one nobody looks for one. */
  private static volatile boolean isFull;

  /** An instance, held weakly. */
  static final class Seen extends WeakReference<AbstractByteBufAllocator> {
    private final int number;

    private Seen(AbstractByteBufAllocator allocator, int number) {
      super(allocator);
      this.number = number;
    }

    /** Its place in the order of sight, from 1. */
    int number() {
      return number;
    }
  }

  private Allocators() {}

  /** Notes an instance, unless it is known; known ones cost a search that ends soon. */
  static void see(AbstractByteBufAllocator allocator) {
    if (!isKnown(allocator) && !isFull) {
      add(allocator);
    }
  }

  private static boolean isKnown(AbstractByteBufAllocator allocator) {
    @Nullable Seen[] known = table;
    int slot = slot(allocator);
    for (Seen at = known[slot]; at != null; at = known[slot]) {
      if (at.refersTo(allocator)) { // get() would keep it alive
        return true;
      }
      slot = next(slot);
    }
    return false;
  }

  private static int slot(AbstractByteBufAllocator allocator) {
    return System.identityHashCode(allocator) & SLOTS - 1;
  }

  private static int next(int slot) {
    return slot + 1 & SLOTS - 1;
  }

  private static void add(AbstractByteBufAllocator allocator) {
    if (allocator instanceof SelfTest.Allocator) {
      return;
    }
    synchronized (LOCK) {
      if (isKnown(allocator)) {
        return;
      }
      List<Seen> live = new ArrayList<>(seen);
      live.removeIf(at -> at.refersTo(null));
      if (live.size() >= MOST) {
        DROPPED.incrementAndGet();
        isFull = true;
        return;
      }
      live.add(new Seen(allocator, ++count));
      table = tableOf(live);
      seen = live;
    }
  }

  private static @Nullable Seen[] tableOf(List<Seen> live) {
    @Nullable Seen[] made = new Seen[SLOTS];
    for (Seen at : live) {
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

  /** Once a second: some may have been let go of since then. */
  static void tick() {
    isFull = false;
  }

  /** In the order of sight; some may be collected. */
  static List<Seen> seen() {
    synchronized (LOCK) {
      return List.copyOf(seen);
    }
  }

  /** Those that are still alive, the first seen first. Not to be kept. */
  static List<AbstractByteBufAllocator> list() {
    List<AbstractByteBufAllocator> live = new ArrayList<>();
    for (Seen at : seen()) {
      AbstractByteBufAllocator allocator = at.get();
      if (allocator != null) {
        live.add(allocator);
      }
    }
    return live;
  }

  /** The names of {@link #list()}: class and identity. */
  static String[] names() {
    return list().stream().map(Allocators::name).toArray(String[]::new);
  }

  static String name(AbstractByteBufAllocator allocator) {
    return allocator.getClass().getName()
        + '@'
        + Integer.toHexString(System.identityHashCode(allocator));
  }

  /** How often an instance was seen that found no place, since so many are alive; once a second. */
  static long dropped() {
    return DROPPED.get();
  }
}

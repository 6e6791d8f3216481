/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one thread released of slots that it does not own, by size class, and by the arena that the
 * slot lies in. Written by that thread, plain; read by anybody.
 */
final class RemoteReleases {
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  // Places in an arena's part of {@link #byArena}.
  private static final int SMALL = 0;
  private static final int NORMAL = 1;
  private static final int BYTES = 2;
  private static final int PLACES = 3;

  private final long[] byClass;
  private final long[] byArena;

  RemoteReleases(int sizeClasses, int arenas) {
    this.byClass = new long[sizeClasses];
    this.byArena = new long[arenas * PLACES];
  }

  void count(SlotGroup group) {
    int part = group.arena.index * PLACES;
    int kind = part + (group.isSubpage() ? SMALL : NORMAL);
    int bytes = group.slotBytes();
    byClass[group.sizeClass]++; // no call from here on: all of it or nothing
    byArena[kind]++;
    byArena[part + BYTES] += bytes;
  }

  void report(SnapshotBuilder snapshot) {
    for (int sizeClass = 0; sizeClass < byClass.length; sizeClass++) {
      snapshot.addRemoteReleases(sizeClass, read(byClass, sizeClass));
    }
    for (int part = 0; part < byArena.length; part += PLACES) {
      snapshot.addArenaReleases(
          part / PLACES,
          read(byArena, part + SMALL),
          read(byArena, part + NORMAL),
          read(byArena, part + BYTES));
    }
  }

  /** How many there were. */
  long sum() {
    long sum = 0;
    for (int sizeClass = 0; sizeClass < byClass.length; sizeClass++) {
      sum += read(byClass, sizeClass);
    }
    return sum;
  }

  private static long read(long[] counts, int place) {
    // Acquire, so that the allocation of each release seen here is seen by what is read after.
    return (long) COUNTS.getAcquire(counts, place);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.atomic.LongAdder;

/** The numbers of releases by threads without a cache, by the slot's arena and size class. */
final class UncachedReleases {
  /**
   * The counters by arena and size class. All are created in advance, because a release must not
   * fail to create one.
   */
  private final LongAdder[][] arenas;

  UncachedReleases(int arenas, int sizeClasses) {
    this.arenas = new LongAdder[arenas][sizeClasses];
    for (LongAdder[] counts : this.arenas) {
      for (int sizeClass = 0; sizeClass < sizeClasses; sizeClass++) {
        counts[sizeClass] = new LongAdder();
      }
    }
  }

  void count(SlotGroup group) {
    OomRetry.increment(arenas[group.arena.index][group.sizeClass]);
  }

  void report(SnapshotBuilder snapshot) {
    for (int arena = 0; arena < arenas.length; arena++) {
      for (int sizeClass = 0; sizeClass < arenas[arena].length; sizeClass++) {
        long releases = arenas[arena][sizeClass].sum();
        snapshot.addRemoteReleases(sizeClass, releases);
        snapshot.addArenaReleases(arena, sizeClass, releases);
      }
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.StackDetail;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Leaks that are counted together, and the latest of them. Guarded by the store's lock. */
final class LeakCounts {
  private long found;
  private long buffers;

  /**
   * The part of the estimate of buffers that is not in {@link #buffers}; it begins in the middle.
   */
  private double fraction = 0.5;

  private long bytes;
  private long firstSeenMillis = Long.MAX_VALUE;
  private long lastSeenMillis = Long.MIN_VALUE;
  private @Nullable LeakedBuffer latest;

  void add(LeakedBuffer leaked, long nowMillis) {
    Sample sample = leaked.sample();
    found++;
    bytes += sample.leakBytes();
    if (sample.leakBytes() > 0) {
      fraction += Math.max(1.0, (double) sample.leakBytes() / Math.max(1, sample.requestedBytes()));
      long whole = (long) fraction;
      buffers += whole;
      fraction -= whole;
    }
    firstSeenMillis = Math.min(firstSeenMillis, nowMillis);
    lastSeenMillis = Math.max(lastSeenMillis, nowMillis);
    if (latest != null) {
      latest.forget();
    }
    latest = leaked;
  }

  boolean isEmpty() {
    return latest == null;
  }

  /** Adds others, which give their stacks back to the table. No sum of both goes back by that. */
  void add(LeakCounts others) {
    if (others.latest != null) {
      add(others, others.latest.withoutStacks());
    }
  }

  /** Adds others to a sum that is made for one report: they keep their stacks. */
  void addCopy(LeakCounts others) {
    if (others.latest != null) {
      add(others, others.latest);
    }
  }

  private void add(LeakCounts others, LeakedBuffer othersLatest) {
    buffers = buffers() + others.buffers();
    found += others.found;
    bytes += others.bytes;
    firstSeenMillis = Math.min(firstSeenMillis, others.firstSeenMillis);
    if (latest == null || others.lastSeenMillis > lastSeenMillis) {
      latest = othersLatest;
    }
    lastSeenMillis = Math.max(lastSeenMillis, others.lastSeenMillis);
  }

  /** A watched buffer is one at least, also where it says nothing of others. */
  private long buffers() {
    return Math.max(found, buffers);
  }

  /** Passes a copy on, if there is any leak. */
  void show(StackDetail detail, Consumer<LeakEntry> to) {
    if (latest != null) {
      to.accept(
          new LeakEntry(
              found, buffers(), bytes, firstSeenMillis, lastSeenMillis, latest.show(detail)));
    }
  }
}

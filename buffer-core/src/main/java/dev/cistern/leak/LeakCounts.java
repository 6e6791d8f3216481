/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.StackDetail;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sums of leaks, and the latest leak. Guarded by the store's lock. */
final class LeakCounts {
  private long found;
  private long buffers;

  /**
   * The fraction of the estimate of buffers that is not in {@link #buffers}; initially one half.
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
      latest.releaseStacks();
    }
    latest = leaked;
  }

  boolean isEmpty() {
    return latest == null;
  }

  /** Adds counts whose stacks return to the table. No sum of both decreases. */
  void add(LeakCounts others) {
    if (others.latest != null) {
      add(others, others.latest.withoutStacks());
    }
  }

  /** Adds counts, which keep their stacks, to a sum for one report. */
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

  /** Returns the estimate, with at least one buffer for each leak without a weight. */
  private long buffers() {
    return Math.max(found, buffers);
  }

  /** Passes an entry to a consumer if there is a leak. */
  void show(StackDetail detail, Consumer<LeakEntry> to) {
    if (latest != null) {
      to.accept(
          new LeakEntry(
              found, buffers(), bytes, firstSeenMillis, lastSeenMillis, latest.show(detail)));
    }
  }
}

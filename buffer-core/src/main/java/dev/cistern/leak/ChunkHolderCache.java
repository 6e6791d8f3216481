/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.ChunkHolder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sites that hold nearly empty chunks, found by the last search. Thread-safe. */
final class ChunkHolderCache {
  /**
   * Time between two searches. A search makes all sampled buffers reachable for a garbage collector
   * that is marking. If each report searched, leaks could stay hidden while marking takes longer
   * than a reader's interval.
   */
  static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The option with which reports read no buffer. */
  @SuppressWarnings("UnnecessaryLambda") // one object, which is compared by identity
  static final Function<Object, @Nullable ChunkUse> NO_CHUNKS = buffer -> null;

  private final Function<Object, @Nullable ChunkUse> chunks;
  private final CapturedStacks stacks;

  // Guarded by this object's lock, which is held while foreign code reads the use of chunks.
  private @Nullable List<ChunkHolder> holders;
  private long searchNanos;

  /**
   * @param chunks {@link LeakDetector.Options#chunks()}
   */
  ChunkHolderCache(Function<Object, @Nullable ChunkUse> chunks, CapturedStacks stacks) {
    this.chunks = chunks;
    this.stacks = stacks;
  }

  /** Returns the sites, and searches the trackers if the last search is too old. */
  List<ChunkHolder> get(Iterable<LeakTracker<?>> trackers, long nowNanos) {
    return chunks == NO_CHUNKS ? List.of() : getOrSearch(trackers, nowNanos);
  }

  private synchronized List<ChunkHolder> getOrSearch(
      Iterable<LeakTracker<?>> trackers, long nowNanos) {
    List<ChunkHolder> known = holders;
    if (known == null || nowNanos - searchNanos >= INTERVAL_NANOS) {
      known = search(trackers);
      holders = known;
      searchNanos = nowNanos;
    }
    return known;
  }

  /** Returns the sites; after a failure, those found before it. */
  private List<ChunkHolder> search(Iterable<LeakTracker<?>> trackers) {
    ChunkHolders found = new ChunkHolders();
    try {
      for (LeakTracker<?> tracker : trackers) {
        Sample sample = tracker.sample();
        Object buffer = sample.liveBytes() > 0 ? tracker.get() : null;
        ChunkUse use = buffer == null ? null : chunks.apply(buffer);
        if (use != null && use.isNearlyEmpty()) {
          found.add(sample.memory(), LeakedBuffer.site(stacks.resolve(tracker)), use);
        }
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
    return found.show();
  }
}

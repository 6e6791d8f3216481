/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.ChunkHolder;
import dev.cistern.leak.report.PinnedSite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Results of the last search through the sampled buffers themselves. Thread-safe. */
final class BufferSearch {
  /**
   * Time between two searches. A search makes all sampled buffers reachable for a garbage collector
   * that is marking. If each report searched, leaks could stay hidden while marking takes longer
   * than a reader's interval.
   */
  static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The option with which reports do not read the chunks of buffers. */
  @SuppressWarnings("UnnecessaryLambda") // one object, which is compared by identity
  static final Function<Object, @Nullable ChunkUse> NO_CHUNKS = buffer -> null;

  private static final Result NOTHING = new Result(List.of(), List.of());

  private final Function<Object, @Nullable ChunkUse> chunks;
  private final CapturedStacks stacks;

  // Guarded by this object's lock, which a thread holds while code of applications reads buffers.
  private Result last = NOTHING;
  private boolean hasSearched;
  private long searchNanos;

  /**
   * @param chunks {@link LeakDetector.Options#chunks()}
   */
  BufferSearch(Function<Object, @Nullable ChunkUse> chunks, CapturedStacks stacks) {
    this.chunks = chunks;
    this.stacks = stacks;
  }

  /**
   * The result of a search.
   *
   * @param chunkHolders the sites that keep nearly empty chunks
   * @param pinned the sites whose buffers only small slices keep
   */
  record Result(List<ChunkHolder> chunkHolders, List<PinnedSite> pinned) {}

  /** Returns the last result, and searches the trackers if it is too old. */
  synchronized Result get(Iterable<LeakTracker<?>> trackers, Moment now) {
    if (!hasSearched || now.nanos() - searchNanos >= INTERVAL_NANOS) {
      last = search(trackers, now);
      hasSearched = true;
      searchNanos = now.nanos();
    }
    return last;
  }

  /** Returns the result; after a failure, the entries found before it. */
  private Result search(Iterable<LeakTracker<?>> trackers, Moment now) {
    ChunkHolders holders = new ChunkHolders();
    PinSums pinned = new PinSums();
    try {
      for (LeakTracker<?> tracker : trackers) {
        boolean isRead = chunks != NO_CHUNKS || tracker.pins() != null;
        Object buffer = isRead && tracker.sample().liveBytes() > 0 ? tracker.get() : null;
        if (buffer != null) {
          addChunk(holders, tracker, buffer);
          addPins(pinned, tracker, buffer, now);
        }
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
    return new Result(holders.show(), pinned.show());
  }

  private void addChunk(ChunkHolders to, LeakTracker<?> tracker, Object buffer) {
    ChunkUse use = chunks.apply(buffer);
    if (use != null && use.isNearlyEmpty()) {
      to.add(tracker.sample().memory(), site(tracker), use);
    }
  }

  private void addPins(PinSums to, LeakTracker<?> tracker, Object buffer, Moment now) {
    Pins pins = tracker.pins();
    if (pins != null && now.age(tracker.bornNanos()) != Age.UNDER_10_SECONDS) {
      Pins.Cover cover = pins.cover(buffer);
      if (cover != null && cover.isSmall()) {
        long bornMillis = now.millis(tracker.bornNanos());
        to.add(tracker.sample(), site(tracker), tracker.holder(), cover, bornMillis);
      }
    }
  }

  private String site(LeakTracker<?> tracker) {
    return LeakedBuffer.site(stacks.resolve(tracker));
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.ByteSampler;
import dev.cistern.leak.ChunkUse;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import dev.cistern.leak.WatchFailures;
import dev.cistern.memory.MemoryKind;
import dev.cistern.netty.pool.LeakLevel;
import dev.cistern.netty.pool.NettyLeakDetector;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternObserver;
import io.netty.buffer.PoolChunkMetric;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sampler of the buffers that Netty itself allocates. Its samples go to the same detector as
 * those of Cistern's pools.
 *
 * <p>An allocation costs an update of the calling thread's countdown and a check whether its
 * allocator is known. A deallocation costs one load of the filter.
 */
final class NettyObserver extends CisternObserver {
  static final SampledBuffers SAMPLED = new SampledBuffers();

  private static final NettyObserver INSTANCE = new NettyObserver();

  /** The class of the buffers of Netty's adaptive allocator; null in early 4.1. */
  private static final @Nullable Class<?> ADAPTIVE = adaptive();

  /** The filter of {@link #SAMPLED}; a constant, so that the compiler folds it. */
  private static final byte[] FILTER = SAMPLED.filter();

  /**
   * Whether an allocator of this identity hash was seen. Two allocators with the same hash are
   * rare; the second is seen with its first sample. Any thread writes it, always with the same
   * value.
   */
  private static final boolean[] IS_SEEN = new boolean[1 << 10];

  static void begin() {
    SAMPLED.open();
    watching(INSTANCE);
  }

  /**
   * Stops sampling. Forgets all samples first, because a sample without a reported end would appear
   * to leak.
   */
  static void end() {
    List<SampledBuffers.Forgotten> forgotten = SAMPLED.close();
    watching(null);
    for (SampledBuffers.Forgotten sample : forgotten) {
      NettyLeakDetector.forget(sample.tracker(), sample.buffer());
    }
  }

  @Override
  protected void count(ByteBuf buffer, AbstractByteBufAllocator allocator, int bytes) {
    int hash = System.identityHashCode(allocator) & IS_SEEN.length - 1;
    if (!IS_SEEN[hash]) {
      KnownAllocators.see(allocator);
      IS_SEEN[hash] = true;
    }
    long[] countdown = Countdowns.current();
    long left = countdown[Countdowns.LEFT] - bytes;
    countdown[Countdowns.LEFT] = left;
    if (left <= 0) {
      drawn(buffer, allocator, bytes, countdown);
    }
  }

  private static void drawn(
      ByteBuf buffer, AbstractByteBufAllocator allocator, int bytes, long[] countdown) {
    ByteSampler sampler = Countdowns.sampler(countdown);
    long startNanos = sampler.nanos();
    LeakLevel level = NettyLeakDetector.level();
    boolean isEach = level == LeakLevel.PARANOID;
    long weightBytes = Countdowns.weigh(countdown, sampler, bytes, isEach);
    if (weightBytes == 0 && !isEach) {
      return;
    }
    if (bare(buffer) instanceof AbstractReferenceCountedByteBuf bare
        && isObservable(bare)
        && (isEach || level != LeakLevel.DISABLED)) {
      watch(bare, sample(bare, bytes, isEach, weightBytes));
    }
    KnownAllocators.see(allocator);
    sampler.spentSince(startNanos);
  }

  private static Sample sample(
      AbstractReferenceCountedByteBuf buffer, int bytes, boolean isEach, long weightBytes) {
    String memory = buffer.isDirect() ? MemoryKind.DIRECT.label() : MemoryKind.HEAP.label();
    int slotBytes = SampledBuffers.slotBytes(buffer);
    return isEach
        ? Sample.byCount(memory, Sample.POOLED, bytes, slotBytes, 1)
        : Sample.byBytes(memory, Sample.POOLED, bytes, slotBytes, weightBytes);
  }

  /**
   * Watches a buffer. Closes a tracker that is not entered in the table, because its buffer would
   * otherwise appear to leak. The same holds for the tracker of an earlier use of the same object,
   * whose release was not reported.
   */
  private static void watch(AbstractReferenceCountedByteBuf buffer, Sample sample) {
    LeakTracker<AbstractReferenceCountedByteBuf> tracker =
        NettyLeakDetector.DETECTOR.track(buffer, sample);
    if (tracker.refersTo(null)) {
      return; // the limit is reached: it is not watched
    }
    @Nullable LeakTracker<AbstractReferenceCountedByteBuf> ended = tracker;
    try {
      ended = SAMPLED.put(buffer, tracker);
    } finally {
      if (ended != null) {
        NettyLeakDetector.forget(ended, buffer);
      }
    }
  }

  @Override
  protected void end(AbstractReferenceCountedByteBuf buffer) {
    if (FILTER[SampledBuffers.filterSlot(buffer)] != 0) {
      LeakTracker<AbstractReferenceCountedByteBuf> ended = SAMPLED.remove(buffer);
      if (ended != null) {
        NettyLeakDetector.close(ended, buffer);
      }
    }
  }

  /** Returns whether the instrumented code reports the end of buffers of this class. */
  private static boolean isObservable(Object buffer) {
    return isPooled(buffer) || buffer.getClass() == ADAPTIVE;
  }

  private static @Nullable Class<?> adaptive() {
    try {
      return Class.forName(
          ByteBuf.class.getPackageName() + ".AdaptivePoolingAllocator$AdaptiveByteBuf",
          false,
          ByteBuf.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError | RuntimeException early) {
      return null;
    }
  }

  /**
   * Returns the tracker of a buffer, or null if it is no sample. The class is checked first,
   * because the first identity hash of an object, such as a new slice, is more expensive.
   */
  static @Nullable LeakTracker<?> tracker(Object buffer) {
    return isObservable(buffer)
            && FILTER[SampledBuffers.filterSlot(buffer)] != 0
            && buffer instanceof AbstractReferenceCountedByteBuf sampled
        ? SAMPLED.get(sampled)
        : null;
  }

  /** Returns the use of the chunk of Netty's own that contains a buffer, or null. */
  static @Nullable ChunkUse chunkUse(Object buffer) {
    PoolChunkMetric chunk = chunk(buffer);
    if (chunk == null) {
      return null;
    }
    int chunkBytes = chunk.chunkSize();
    return new ChunkUse(chunk, (long) chunkBytes - chunk.freeBytes(), chunkBytes);
  }

  @Override
  protected void failed(Throwable failure) {
    WatchFailures.add(failure);
  }
}

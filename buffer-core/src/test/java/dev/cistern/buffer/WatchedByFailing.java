/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.WatchFailures;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import dev.cistern.util.ResourceLeakDetectorFactory;
import org.jspecify.annotations.Nullable;

/**
 * A program of a separate JVM with a detector whose hints fail; an application can install such a
 * detector.
 */
final class WatchedByFailing {
  private static final int MIB = 1 << 20;
  private static final int MOVES = 50;

  /** Number of hints that succeed before the next ones fail. */
  private static int good = Integer.MAX_VALUE;

  private static int failed;

  private WatchedByFailing() {}

  private static final class Failing<T> extends ResourceLeakDetector<T> {
    Failing(Class<?> type, int samplingInterval) {
      super(type, samplingInterval);
    }

    @Override
    protected @Nullable Object getInitialHint(String resourceType) {
      if (good-- > 0) {
        return null;
      }
      failed++;
      throw new AssertionError("a hint that fails");
    }
  }

  private static final class Factory extends ResourceLeakDetectorFactory {
    @Override
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval, long maxActive) {
      return new Failing<>(resource, samplingInterval);
    }
  }

  public static void main(String[] arguments) {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    PooledByteBufAllocator pooled = new PooledByteBufAllocator(true, 1, 1, 8192, 9);
    move(pooled, 4 * MIB, MIB);
    move(pooled, MIB, 2 * MIB);
    allocate(pooled);
    expect(WatchFailures.count() == failed, WatchFailures.count() + " of " + failed);
    System.out.println("as expected");
  }

  /**
   * Moves buffers to a watched slot, if the sampler selects it; the watch of the moved buffer then
   * fails.
   */
  private static void move(PooledByteBufAllocator allocator, int from, int to) {
    int before = failed;
    for (int i = 0; i < MOVES; i++) {
      ResourceLeakDetector.setLevel(Level.DISABLED);
      ByteBuf buffer = allocator.directBuffer(from).setInt(0, i).setIndex(0, from);
      ResourceLeakDetector.setLevel(Level.SIMPLE);
      good = 1;
      buffer.capacity(to);
      expect(buffer.capacity() == to, "capacity: " + buffer);
      expect(buffer.writerIndex() == Math.min(from, to), "indices: " + buffer);
      expect(buffer.getInt(0) == i, "the bytes have moved");
      expect(buffer.release(), "the last release");
      expect(
          allocator.pinnedDirectMemory() == 0, "pinned bytes: " + allocator.pinnedDirectMemory());
    }
    expect(failed > before, "no move from " + from + " to " + to + " was drawn");
  }

  private static void allocate(PooledByteBufAllocator pooled) {
    UnpooledByteBufAllocator unpooled = new UnpooledByteBufAllocator(true);
    PooledByteBufAllocator noArenas = new PooledByteBufAllocator(true, 0, 0, 8192, 9);
    ResourceLeakDetector.setLevel(Level.PARANOID);
    good = 0;
    int before = failed;
    ByteBuf[] buffers = {
      pooled.directBuffer(64),
      pooled.heapBuffer(64),
      pooled.compositeBuffer(),
      unpooled.directBuffer(64),
      noArenas.directBuffer(64),
      noArenas.heapBuffer(64)
    };
    expect(failed == before + buffers.length, "failed: " + (failed - before));
    for (ByteBuf buffer : buffers) {
      expect(buffer.release(), "the last release of " + buffer);
    }
    expect(pooled.pinnedDirectMemory() + pooled.pinnedHeapMemory() == 0, "pooled");
    expect(unpooled.metric().usedDirectMemory() == 0, "unpooled");
    expect(noArenas.metric().usedDirectMemory() == 0, "without arenas");
  }

  private static void expect(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}

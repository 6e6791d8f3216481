/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import dev.cistern.testing.DeepStack;
import dev.cistern.util.internal.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A program for a JVM with {@code -Xint}: the stack ends at each depth of an operation on a pooled
 * buffer. The operation then has its full effect or none, and no memory is lost. Arguments: number
 * of depths, one in how many depths, and one in how many cases.
 */
final class StackEndOfBuffers {
  private static final int[] SIZES = {100, 5000, 40_000, 300_000, 5 << 20};
  private static final int BESIDE = 3;
  private static final long MAX_FINISHING_NANOS = 5_000_000_000L;

  private enum Act {
    ALLOCATE,
    RELEASE,
    RELEASE_FOR_ANOTHER_THREAD,
    GROW,
    SHRINK
  }

  private final Act act;
  private final boolean isDirect;
  private final int size;
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ExecutorService owner =
      Executors.newSingleThreadExecutor(task -> DaemonThreads.create("owner", task));
  private int thrown;

  private StackEndOfBuffers(Act act, boolean isDirect, int size) {
    this.act = act;
    this.isDirect = isDirect;
    this.size = size;
  }

  public static void main(String[] arguments) throws Exception {
    int depths = Integer.parseInt(arguments[0]);
    int every = Integer.parseInt(arguments[1]);
    int oneIn = Integer.parseInt(arguments[2]);
    int cases = 0;
    for (boolean isDirect : new boolean[] {true, false}) {
      for (Act act : Act.values()) {
        for (int size : SIZES) {
          if (cases++ % oneIn == 0) {
            new StackEndOfBuffers(act, isDirect, size).run(depths, every);
          }
        }
      }
    }
  }

  private BufferPool pool() {
    return allocator.pool(isDirect);
  }

  private void run(int depths, int every) throws Exception {
    once(-1);
    once(-1);
    DeepStack.forEachDepth(depths, every, this::once);
    long failures = pool().releaseFailures();
    if (thrown + failures == 0) {
      throw new AssertionError("the stack did not end in the pool");
    }
    owner.shutdown();
    System.out.println(
        act + " of " + size + ", direct " + isDirect + ": " + thrown + ", failed " + failures);
  }

  private void once(int depth) throws Exception {
    try {
      List<ByteBuf> buffers =
          act == Act.RELEASE_FOR_ANOTHER_THREAD ? owner.submit(this::allocate).get() : allocate();
      ByteBuf buffer = buffers.remove(1);
      switch (act) {
        case ALLOCATE -> {
          buffer.release();
          ByteBuf[] made = new ByteBuf[1];
          if (atDepth(depth, () -> made[0] = allocateOne())) {
            made[0].release();
          }
        }
        case RELEASE, RELEASE_FOR_ANOTHER_THREAD -> release(buffer, depth);
        case GROW -> resize(buffer, 2 * size, depth);
        case SHRINK -> resize(buffer, size / 3, depth);
      }
      check(buffers);
      buffers.forEach(ByteBuf::release);
      check(List.of());
    } catch (Throwable failed) {
      throw new AssertionError(act + " of " + size + ", " + depth + " frames", failed);
    }
  }

  private List<ByteBuf> allocate() {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < BESIDE; i++) {
      ByteBuf buffer = allocateOne();
      buffers.add(buffer.setByte(0, i).setByte(size - 1, i).writerIndex(size));
    }
    return buffers;
  }

  private ByteBuf allocateOne() {
    return isDirect ? allocator.directBuffer(size) : allocator.heapBuffer(size);
  }

  private boolean atDepth(int depth, Runnable task) {
    if (depth < 0) {
      task.run();
      return true;
    }
    try {
      int unused = DeepStack.run(depth, task);
      return true;
    } catch (StackOverflowError ended) {
      thrown++;
      return false;
    }
  }

  /**
   * Releases the buffer; repeats the call if the first one failed before it decreased the count.
   */
  private void release(ByteBuf buffer, int depth) {
    if (!atDepth(depth, buffer::release) && buffer.refCnt() > 0) {
      buffer.release();
    }
    require(buffer.refCnt() == 0, "count " + buffer.refCnt());
  }

  private void resize(ByteBuf buffer, int capacity, int depth) {
    boolean done = atDepth(depth, () -> buffer.capacity(capacity));
    require(
        buffer.capacity() == capacity || (!done && buffer.capacity() == size),
        "capacity " + buffer.capacity());
    require(buffer.getByte(0) == 1, "the first byte");
    require(buffer.capacity() < size || buffer.getByte(size - 1) == 1, "the last byte");
    require(buffer.writerIndex() <= buffer.capacity(), "writer index " + buffer.writerIndex());
    buffer.release();
  }

  private void check(List<ByteBuf> out) {
    long bytes = 0;
    for (int i = 0; i < out.size(); i++) {
      bytes += pool().usableBytes(size);
      require(out.get(i).getByte(0) == (i == 0 ? 0 : 2), "another buffer's byte");
    }
    long pinned = tickedPinnedBytes();
    long startNanos = System.nanoTime(); // the maintenance thread can still be finishing a release
    while (pinned != bytes && System.nanoTime() - startNanos < MAX_FINISHING_NANOS) {
      pinned = tickedPinnedBytes();
    }
    require(pinned == bytes, "pinned " + pinned + ", out " + bytes);
  }

  private long tickedPinnedBytes() {
    pool().tick();
    return pool().snapshot().pinnedBytes();
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}

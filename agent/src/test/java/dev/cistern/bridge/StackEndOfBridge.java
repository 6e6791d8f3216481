/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.netty.pool.NettyPools;
import dev.cistern.testing.DeepStack;
import dev.cistern.util.internal.DaemonThreads;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A program for a JVM with {@code -Xint}, in which the stack ends at each depth of an operation on
 * a buffer of the bridge. The operation then has no effect or its full effect, and no memory is
 * lost.
 */
final class StackEndOfBridge {
  private static final int DEPTHS = 50;
  private static final int[] SIZES = {100, 5000, 40_000, 5 << 20};

  private enum Act {
    ALLOCATE,
    RELEASE,
    RELEASE_FOR_ANOTHER_THREAD,
    GROW,
    SHRINK
  }

  private final BridgeHook hook = new BridgeHook();
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final ExecutorService owner =
      Executors.newSingleThreadExecutor(task -> DaemonThreads.create("owner", task));
  private int thrown;

  private StackEndOfBridge() {}

  public static void main(String[] arguments) throws Exception {
    BridgeDefaults.use();
    new StackEndOfBridge().runAll();
  }

  private void runAll() throws Exception {
    for (Act act : Act.values()) {
      for (int size : SIZES) {
        thrown = 0;
        once(act, size, -1);
        once(act, size, -1);
        DeepStack.forEachDepth(DEPTHS, 1, depth -> once(act, size, depth));
        System.out.println(act + " of " + size + ": threw " + thrown);
      }
    }
    require(NettyPools.DIRECT_ENGINE.releaseFailures() > 0, "no release ran out of stack");
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

  private ByteBuf allocate(int size) {
    return hook.newDirect(allocator, size, 1 << 30);
  }

  private void once(Act act, int size, int depth) throws Exception {
    try {
      ByteBuf[] made = new ByteBuf[1];
      if (act == Act.ALLOCATE) {
        if (atDepth(depth, () -> made[0] = allocate(size))) {
          made[0].release();
        }
      } else {
        use(act, size, depth);
      }
      NettyPools.DIRECT_ENGINE.tick();
      long pinned = NettyPools.DIRECT_ENGINE.snapshot().pinnedBytes();
      require(pinned == 0, "pinned " + pinned);
    } catch (Throwable failed) {
      throw new AssertionError(act + " of " + size + ", " + depth + " frames", failed);
    }
  }

  private void use(Act act, int size, int depth) throws Exception {
    ByteBuf buffer =
        act == Act.RELEASE_FOR_ANOTHER_THREAD
            ? owner.submit(() -> allocate(size)).get()
            : allocate(size);
    buffer.setByte(0, 1).writerIndex(size);
    switch (act) {
      case GROW -> resize(buffer, size, 2 * size, depth);
      case SHRINK -> resize(buffer, size, size / 3, depth);
      default -> release(buffer, depth);
    }
  }

  /**
   * Releases a buffer. If the count is not decremented, the caller still has to release the buffer.
   */
  private void release(ByteBuf buffer, int depth) {
    if (!atDepth(depth, buffer::release) && buffer.refCnt() > 0) {
      buffer.release();
    }
    require(buffer.refCnt() == 0, "count " + buffer.refCnt());
  }

  private void resize(ByteBuf buffer, int size, int capacity, int depth) {
    boolean done = atDepth(depth, () -> buffer.capacity(capacity));
    require(
        buffer.capacity() == capacity || (!done && buffer.capacity() == size),
        "capacity " + buffer.capacity());
    require(buffer.getByte(0) == 1, "the first byte");
    require(buffer.writerIndex() <= buffer.capacity(), "writer index " + buffer.writerIndex());
    buffer.release();
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new AssertionError(message);
    }
  }
}

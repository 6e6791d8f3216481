/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.netty.pool.BufferOperation;
import dev.cistern.netty.pool.BufferPair;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.testing.TestLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations on a bridge buffer and, in parallel, on one of Netty's own pooled buffers. Both
 * have the same results, exceptions, indices and content.
 */
@ExtendWith(BridgeDefaults.class)
@Tag("A11")
class LikeNettyTest {
  private static final int ROUNDS = TestLength.choose(20, 60, 2_000);
  private static final int STEPS = 300;
  private static final int MAX_CAPACITY = 100_000;

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final BridgeHook hook = new BridgeHook();

  private final long pinnedBytes = pinnedBytes();

  /** Other tests leak on purpose. */
  private static long pinnedBytes() {
    return NettyPools.DIRECT.snapshot().pinnedBytes() + NettyPools.HEAP.snapshot().pinnedBytes();
  }

  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();

  @BeforeEach
  void withoutNettysWrappers() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterEach
  void withThemAgain() {
    ResourceLeakDetector.setLevel(level);
  }

  @AfterEach
  void poolIsSound() {
    PoolInvariants.check(NettyPools.DIRECT_ENGINE);
    PoolInvariants.check(NettyPools.HEAP_ENGINE);
    assertThat(pinnedBytes()).isEqualTo(pinnedBytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBridgeBufferBehavesLikeNettys(boolean direct) {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    for (int round = 0; round < ROUNDS; round++) {
      run(direct, seed + round);
    }
  }

  private void run(boolean direct, long seed) {
    Random random = new Random(seed);
    int capacity = random.nextInt(random.nextBoolean() ? 64 : 20_000);
    ByteBuf netty = direct ? nettyDirect(capacity) : nettyHeap(capacity);
    ByteBuf tested =
        direct
            ? hook.newDirect(allocator, capacity, MAX_CAPACITY)
            : hook.newHeap(allocator, capacity, MAX_CAPACITY);
    BufferPair pair = new BufferPair(netty, tested, random);
    String log = "seed " + seed + ", direct " + direct + ": ";
    try {
      pair.zeroFrom(0);
      for (int step = 0; step < STEPS; step++) {
        BufferOperation operation = BufferOperation.any(random);
        log += operation + " ";
        pair.apply(operation, log);
      }
    } finally {
      assertThat(tested.release(tested.refCnt())).as(log).isTrue();
      netty.release(netty.refCnt());
    }
    assertThat(tested.refCnt()).isZero();
  }

  private ByteBuf nettyDirect(int capacity) {
    return allocator.directBuffer(capacity, MAX_CAPACITY);
  }

  private ByteBuf nettyHeap(int capacity) {
    return allocator.heapBuffer(capacity, MAX_CAPACITY);
  }
}

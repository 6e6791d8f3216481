/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.netty.pool.BufferOperation;
import dev.cistern.netty.pool.BufferPair;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.pool.QuarantineEnd;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.testing.TestLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on a buffer of the allocator or on a wrapper and, in parallel, on one of
 * Netty's own buffers. Both have the same results, exceptions, indices and content.
 */
class LikeNettyTest {
  private static final int ROUNDS = TestLength.choose(20, 60, 2_000);
  private static final int STEPS = 300;
  private static final int MAX_CAPACITY = 100_000;
  private static final ByteBufAllocator NETTY = new io.netty.buffer.PooledByteBufAllocator(true);

  private enum Kind {
    DIRECT,
    HEAP,
    DIRECT_WRAPPER,
    HEAP_WRAPPER,
    WRAPPER_OF_WRAPPER;

    /** A wrapper refuses to write to a read-only buffer; Netty does if it has an address. */
    boolean canCompare(BufferOperation operation) {
      return switch (operation) {
        case ALLOCATOR -> false;
        case GET_INTO_READ_ONLY -> this == DIRECT || this == HEAP;
        default -> true;
      };
    }

    ByteBuf allocate(int capacity) {
      CisternAllocator allocator = CisternAllocator.DEFAULT;
      PooledByteBufAllocator library = PooledByteBufAllocator.DEFAULT;
      return switch (this) {
        case DIRECT -> allocator.directBuffer(capacity, MAX_CAPACITY);
        case HEAP -> allocator.heapBuffer(capacity, MAX_CAPACITY);
        case DIRECT_WRAPPER -> CisternBufs.wrap(library.directBuffer(capacity, MAX_CAPACITY));
        case HEAP_WRAPPER -> CisternBufs.wrap(library.heapBuffer(capacity, MAX_CAPACITY));
        case WRAPPER_OF_WRAPPER ->
            CisternBackedByteBuf.over(
                NettyBackedByteBuf.over(allocator.directBuffer(capacity, MAX_CAPACITY)));
      };
    }
  }

  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();

  @BeforeEach
  void withoutWrappersOfNettysDetector() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  /** Slots that a paranoid test released leave the quarantine later, and are in use until then. */
  @BeforeEach
  void withoutSlotsOfOtherTests() {
    QuarantineEnd.of(NettyPools.DIRECT_ENGINE);
    QuarantineEnd.of(NettyPools.HEAP_ENGINE);
  }

  @AfterEach
  void poolsAreSound() {
    ResourceLeakDetector.setLevel(level);
    PoolInvariants.check(NettyPools.DIRECT_ENGINE);
    PoolInvariants.check(NettyPools.HEAP_ENGINE);
  }

  @ParameterizedTest
  @EnumSource
  void aBufferBehavesLikeNettys(Kind kind) {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    long pinnedBytes = pinnedBytes();
    for (int round = 0; round < ROUNDS; round++) {
      run(kind, seed + round);
    }
    assertThat(pinnedBytes()).isEqualTo(pinnedBytes);
  }

  private static long pinnedBytes() {
    return CisternAllocator.DEFAULT.pools().stream().mapToLong(PoolSnapshot::pinnedBytes).sum();
  }

  private static void run(Kind kind, long seed) {
    Random random = new Random(seed);
    int capacity = random.nextInt(random.nextBoolean() ? 64 : 20_000);
    ByteBuf tested = kind.allocate(capacity);
    ByteBuf netty =
        tested.isDirect()
            ? NETTY.directBuffer(capacity, MAX_CAPACITY)
            : NETTY.heapBuffer(capacity, MAX_CAPACITY);
    BufferPair pair = new BufferPair(netty, tested, random);
    String log = "seed " + seed + ", " + kind + ": ";
    try {
      pair.zeroFrom(0);
      for (int step = 0; step < STEPS; step++) {
        BufferOperation operation = BufferOperation.any(random);
        if (!kind.canCompare(operation)) {
          continue;
        }
        log += operation + " ";
        pair.apply(operation, log);
      }
    } finally {
      assertThat(tested.release(tested.refCnt())).as(log).isTrue();
      netty.release(netty.refCnt());
    }
    assertThat(tested.refCnt()).isZero();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.netty.pool.NettyPools;
import dev.cistern.stats.PoolStat;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternMemoryMetrics;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BridgeDefaults.class)
class HostAllocatorMetricsTest {
  private static final int BYTES = 20 << 20;

  private final HostAllocatorMetrics view = new HostAllocatorMetrics();
  private final BridgeHook hook = new BridgeHook();

  /**
   * Returns the sum over every instance that the bridge of this class loader knows, from any test.
   */
  private long sumOfPinned(boolean direct) {
    return KnownAllocators.list().stream().mapToLong(each -> view.pinnedBytes(each, direct)).sum();
  }

  private long sumOfUsed(boolean direct) {
    return KnownAllocators.list().stream().mapToLong(each -> view.usedBytes(each, direct)).sum();
  }

  private ByteBuf buffer(AbstractByteBufAllocator allocator, boolean direct) {
    return direct ? hook.newDirect(allocator, BYTES, BYTES) : hook.newHeap(allocator, BYTES, BYTES);
  }

  @Test
  void oneInstanceRepresentsThePoolsSoThatSumsAreCorrect() {
    for (boolean direct : new boolean[] {true, false}) {
      List<PooledByteBufAllocator> allocators = new ArrayList<>();
      List<ByteBuf> out = new ArrayList<>();
      long before = sumOfPinned(direct);
      for (int i = 0; i < 3; i++) {
        allocators.add(new PooledByteBufAllocator(true));
        out.add(buffer(allocators.get(i), direct));
      }
      assertThat(sumOfPinned(direct) - before).isBetween(3L * BYTES, 3L * BYTES + (4 << 20));
      assertThat(sumOfUsed(direct)).isBetween(3L * BYTES, 1L << 30);
      out.forEach(ByteBuf::release);
      assertThat(sumOfPinned(direct)).isEqualTo(before);
    }
  }

  @Test
  @SuppressWarnings("deprecation") // the shortest constructor with numbers of arenas
  void anInstanceThatPoolsNothingOfAKindDoesNotRepresentIt() {
    PooledByteBufAllocator heapOnly = new PooledByteBufAllocator(true, 1, 0, 8192, 9);
    KnownAllocators.see(heapOnly);
    buffer(new PooledByteBufAllocator(true), true).release();
    HostAllocatorMetrics fresh = new HostAllocatorMetrics();
    assertThat(fresh.usedBytes(heapOnly, true)).isZero();
  }

  @Test
  void theCallingThreadsCachesAreTrimmed() throws Exception {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    CisternMemoryMetrics.live(view);
    try {
      List<Boolean> answers = new ArrayList<>();
      List<Long> trims = new ArrayList<>();
      Thread thread =
          new Thread(
              () -> {
                answers.add(CisternMemoryMetrics.trimCurrentThreadCache(false, allocator));
                hook.newDirect(allocator, 100, 100).release();
                trims.add(NettyPools.DIRECT.snapshot().get(PoolStat.THREAD_CACHE_TRIMS));
                answers.add(CisternMemoryMetrics.trimCurrentThreadCache(false, allocator));
                trims.add(NettyPools.DIRECT.snapshot().get(PoolStat.THREAD_CACHE_TRIMS));
              });
      thread.start();
      thread.join();
      assertThat(answers).containsExactly(false, true);
      assertThat(trims.get(1)).isGreaterThan(trims.get(0));
    } finally {
      CisternMemoryMetrics.live(null);
    }
  }

  @Test
  void aFailureKeepsTheResultOfNetty() {
    CisternMemoryMetrics.live(
        new CisternMemoryMetrics() {
          @Override
          protected long usedBytes(AbstractByteBufAllocator allocator, boolean direct) {
            throw new IllegalStateException("this one is meant to fail");
          }

          @Override
          protected long pinnedBytes(AbstractByteBufAllocator allocator, boolean direct) {
            throw new StackOverflowError("this one is meant to fail");
          }

          @Override
          protected int threadCaches(AbstractByteBufAllocator allocator) {
            throw new IllegalStateException("this one is meant to fail");
          }

          @Override
          protected boolean trim(AbstractByteBufAllocator allocator) {
            throw new IllegalStateException("this one is meant to fail");
          }
        });
    try {
      PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
      assertThat(CisternMemoryMetrics.usedDirectMemory(7, allocator)).isEqualTo(7);
      assertThat(CisternMemoryMetrics.usedHeapMemory(7, allocator)).isEqualTo(7);
      assertThat(CisternMemoryMetrics.pinnedDirectMemory(7, allocator)).isEqualTo(7);
      assertThat(CisternMemoryMetrics.pinnedHeapMemory(7, allocator)).isEqualTo(7);
      assertThat(CisternMemoryMetrics.numThreadLocalCaches(7, allocator)).isEqualTo(7);
      assertThat(CisternMemoryMetrics.trimCurrentThreadCache(true, allocator)).isTrue();
    } finally {
      CisternMemoryMetrics.live(null);
    }
  }
}

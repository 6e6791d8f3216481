/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.pool.QuarantineEnd;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import dev.cistern.testing.GarbageCollection;
import example.netty.Leaker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CisternAllocatorTest {
  private final CisternAllocator allocator = CisternAllocator.DEFAULT;
  private final Level level = ResourceLeakDetector.getLevel();

  @BeforeEach
  void noBufferIsWrapped() {
    ResourceLeakDetector.setLevel(Level.DISABLED);
  }

  @AfterEach
  void poolsAreSound() {
    ResourceLeakDetector.setLevel(level);
    QuarantineEnd.of(NettyPools.DIRECT_ENGINE); // otherwise its slots leave during a later test
    QuarantineEnd.of(NettyPools.HEAP_ENGINE);
    PoolInvariants.check(NettyPools.DIRECT_ENGINE);
    PoolInvariants.check(NettyPools.HEAP_ENGINE);
  }

  private ByteBuf allocate(boolean direct, int capacity) {
    return direct
        ? allocator.directBuffer(capacity, 1 << 20)
        : allocator.heapBuffer(capacity, 1 << 20);
  }

  private static long allocations(PoolSnapshot pool) {
    long sum = 0;
    for (SizeGroup group : SizeGroup.values()) {
      sum += pool.allocations(group);
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBufferComesFromThePoolAndReturnsToIt(boolean direct) {
    int pool = direct ? 0 : 1;
    long before = allocations(allocator.pools().get(pool));
    long pinned = allocator.pools().get(pool).pinnedBytes();
    ByteBuf buffer = allocate(direct, 1_000);
    assertThat(buffer).isInstanceOf(CisternByteBuf.class);
    assertThat(buffer.isDirect()).isEqualTo(direct);
    assertThat(buffer.alloc()).isSameAs(allocator);
    assertThat(allocations(allocator.pools().get(pool))).isEqualTo(before + 1);
    assertThat(allocator.pools().get(pool).pinnedBytes()).isGreaterThanOrEqualTo(pinned + 1_000);
    assertThat(buffer.release()).isTrue();
    assertThat(allocator.pools().get(pool).pinnedBytes()).isEqualTo(pinned);
    assertThatThrownBy(buffer::readByte).isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void directBuffersAreTheDefault() {
    ByteBuf buffer = allocator.buffer(64);
    ByteBuf io = allocator.ioBuffer(64);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(io.isDirect()).isTrue();
    assertThat(allocator.isDirectBufferPooled()).isTrue();
    assertThat(allocator).hasToString("CisternAllocator(preferDirect: true)");
    buffer.release();
    io.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theAllocatorForVertxNamesNettysAndServesFromThePool(boolean direct) {
    CisternAllocator forVertx = CisternAllocator.forVertx();
    assertThat(CisternAllocator.forVertx()).isSameAs(forVertx);
    int pool = direct ? 0 : 1;
    long before = allocations(allocator.pools().get(pool));
    ByteBuf buffer = direct ? forVertx.ioBuffer(1_000) : forVertx.heapBuffer(1_000);
    assertThat(buffer).isInstanceOf(CisternByteBuf.class);
    assertThat(buffer.alloc()).isSameAs(PooledByteBufAllocator.DEFAULT);
    assertThat(allocations(allocator.pools().get(pool))).isEqualTo(before + 1);
    ByteBuf copy = buffer.writeLong(7).copy();
    assertThat(copy.readLong()).isEqualTo(7);
    assertThat(copy.release()).isTrue();
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void theMetricCountsTheChunks() {
    ByteBuf large = allocator.directBuffer(9 << 20);
    assertThat(allocator.metric().usedDirectMemory()).isGreaterThanOrEqualTo(9 << 20);
    ByteBuf heap = allocator.heapBuffer(100);
    assertThat(allocator.metric().usedHeapMemory()).isPositive();
    assertThat(allocator.chunks()).hasSize(2);
    large.release();
    heap.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retainedViewsShareTheCount(boolean direct) {
    ByteBuf buffer = allocate(direct, 100);
    buffer.writeZero(100);
    ByteBuf slice = buffer.retainedSlice(10, 20);
    ByteBuf duplicate = buffer.retainedDuplicate();
    assertThat(buffer.refCnt()).isEqualTo(3);
    assertThat(slice.refCnt()).isEqualTo(3);
    assertThat(slice.release()).isFalse();
    assertThat(duplicate.release()).isFalse();
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void componentsOfACompositeReturnToThePool() {
    long pinned = allocator.pools().get(0).pinnedBytes();
    CompositeByteBuf composite = allocator.compositeDirectBuffer();
    for (int i = 0; i < 10; i++) {
      composite.addComponent(true, allocator.directBuffer(300).writeLong(i));
    }
    assertThat(composite.readLong()).isZero();
    assertThat(composite.readLong()).isOne();
    composite.release();
    assertThat(allocator.pools().get(0).pinnedBytes()).isEqualTo(pinned);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nettysOwnDetectorWrapsItsBuffers(boolean direct) {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    ByteBuf wrapped = allocate(direct, 100);
    assertThat(wrapped).isNotInstanceOf(CisternByteBuf.class);
    assertThat(wrapped.unwrap()).isInstanceOf(CisternByteBuf.class);
    assertThat(wrapped.release()).isTrue();
  }

  @Test
  void aLeakIsReportedWithItsSite() {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    Leaker.leakUntil(() -> allocator.leaks(StackDetail.FRAMES).watched() > 0);
    ResourceLeakDetector.setLevel(Level.DISABLED);
    List<LeakRecord> found = new ArrayList<>();
    GarbageCollection.until(
        () -> {
          for (LeakEntry entry : allocator.leaks(StackDetail.FRAMES).entries()) {
            found.add(entry.latest());
          }
          return !found.isEmpty();
        });
    assertThat(found.get(0).toText()).contains("example.netty.Leaker.leak");
  }

  @Test
  void aLackOfDirectMemoryRunsTheTasksAndReachesTheCaller() {
    AtomicInteger runs = new AtomicInteger();
    Runnable task = runs::incrementAndGet;
    OutOfMemoryTasks.add(task);
    List<ByteBuf> held = new ArrayList<>();
    try {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 64; i++) { // more than any limit of a test
                  held.add(allocator.directBuffer(1 << 30));
                }
              })
          .isInstanceOf(OutOfMemoryError.class);
    } finally {
      OutOfMemoryTasks.remove(task);
      held.forEach(ByteBuf::release);
    }
    assertThat(runs.get()).isPositive();
    ByteBuf after = allocator.directBuffer(100);
    assertThat(after.release()).isTrue();
  }
}

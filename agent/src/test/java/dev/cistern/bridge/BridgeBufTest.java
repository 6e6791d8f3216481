/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.bridge.api.BridgeCounters;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.NettyDirectMemory;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.NettyPool;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.stats.NettyReport;
import dev.cistern.testing.GarbageCollection;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CisternHook;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.internal.PlatformDependent;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The properties of buffers that {@link LikeNettyTest} cannot compare: slots, reuse, watching,
 * memory accounts.
 */
@ExtendWith(BridgeDefaults.class)
class BridgeBufTest {
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final BridgeHook hook = new BridgeHook();

  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();

  /** Netty's detector wraps one buffer in so many, by chance. */
  @BeforeEach
  void noBufferIsWrapped() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterEach
  void poolIsSound() {
    ResourceLeakDetector.setLevel(level);
    PoolInvariants.check(NettyPools.DIRECT_ENGINE);
    PoolInvariants.check(NettyPools.HEAP_ENGINE);
  }

  private ByteBuf allocate(boolean direct, int capacity, int maxCapacity) {
    return direct
        ? hook.newDirect(allocator, capacity, maxCapacity)
        : hook.newHeap(allocator, capacity, maxCapacity);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("A11")
  void aReusedBufferIsLikeANewOne(boolean direct) {
    ByteBuf first = allocate(direct, 100, 200);
    first.writeLong(1).writeLong(2).readLong();
    first.markReaderIndex().markWriterIndex();
    first.retain();
    first.release(2);
    ByteBuf second = allocate(direct, 100, 1_000);
    ByteBufAllocator other = new PooledByteBufAllocator(true);
    assertThat(second).isSameAs(first);
    assertThat(second.refCnt()).isEqualTo(1);
    assertThat(second.maxCapacity()).isEqualTo(1_000);
    assertThat(second.readerIndex() + second.writerIndex()).isZero();
    second.writeInt(1).resetReaderIndex().resetWriterIndex();
    assertThat(second.readerIndex() + second.writerIndex()).isZero();
    second.release();
    ByteBuf third = hook.newDirect((PooledByteBufAllocator) other, 100, 100);
    assertThat(third.alloc()).isSameAs(other);
    third.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("B4")
  void aReleasedBufferRefusesEverything(boolean direct) {
    ByteBuf buffer = allocate(direct, 64, 64);
    assertThat(buffer.release()).isTrue();
    for (BufferUse use : BufferUse.values()) {
      assertThatThrownBy(() -> use.on(buffer))
          .as(use.name())
          .isInstanceOf(IllegalReferenceCountException.class);
    }
    assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(buffer.toString()).contains("freed");
  }

  private enum BufferUse {
    GET,
    SET,
    WRITE,
    BULK,
    NIO,
    INTERNAL_NIO,
    MEMORY,
    CAPACITY,
    SAME_CAPACITY,
    RETAIN,
    COPY;

    Object on(ByteBuf buffer) {
      return switch (this) {
        case GET -> buffer.getInt(0);
        case SET -> buffer.setByte(0, 1);
        case WRITE -> buffer.writeLong(1);
        case BULK -> buffer.getBytes(0, new byte[1]);
        case NIO -> buffer.nioBuffer(0, 1);
        case INTERNAL_NIO -> buffer.internalNioBuffer(0, 1);
        case MEMORY -> buffer.isDirect() ? buffer.memoryAddress() : buffer.array();
        case CAPACITY -> buffer.capacity(8);
        case SAME_CAPACITY -> buffer.capacity(buffer.capacity());
        case RETAIN -> buffer.retain();
        case COPY -> buffer.copy(0, 1);
      };
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void growthStaysInTheSlotWhileItCanAndMovesThen(boolean direct) {
    ByteBuf buffer = allocate(direct, 100, 1 << 20);
    int fast = buffer.maxFastWritableBytes();
    assertThat(fast).isGreaterThanOrEqualTo(100);
    Object place = place(buffer);
    buffer.capacity(fast).setByte(fast - 1, 7);
    assertThat(place(buffer)).isEqualTo(place);
    buffer.capacity(fast + 1);
    assertThat(place(buffer)).isNotEqualTo(place);
    assertThat(buffer.getByte(fast - 1)).isEqualTo((byte) 7);
    buffer.capacity(10);
    assertThat(buffer.capacity()).isEqualTo(10);
    buffer.release();
  }

  private static Object place(ByteBuf buffer) {
    return buffer.hasArray()
        ? System.identityHashCode(buffer.array()) + ":" + buffer.arrayOffset()
        : buffer.memoryAddress();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void internalViewsAreNeverShared(boolean direct) {
    ByteBuf one = allocate(direct, 64, 64);
    ByteBuf two = allocate(direct, 64, 64);
    assertThat(one.internalNioBuffer(0, 8)).isNotSameAs(two.internalNioBuffer(0, 8));
    assertThat(one.internalNioBuffer(0, 8)).isSameAs(one.internalNioBuffer(4, 8));
    assertThat(one.nioBuffer(0, 8)).isNotSameAs(one.nioBuffer(0, 8));
    one.release();
    two.release();
  }

  @Test
  @Tag("A15")
  void chunksCountInNettysOwnAccountOfDirectMemory() {
    long before = NettyDirectMemory.INSTANCE.usedBytes();
    ByteBuf large = hook.newDirect(allocator, 9 << 20, 9 << 20);
    assertThat(NettyDirectMemory.INSTANCE.usedBytes()).isGreaterThanOrEqualTo(before + (9 << 20));
    if (PlatformDependent.usedDirectMemory() >= 0) { // otherwise only the JVM counts
      assertThat(NettyDirectMemory.INSTANCE.usedBytes())
          .isEqualTo(PlatformDependent.usedDirectMemory());
    }
    assertThat(NettyDirectMemory.INSTANCE.limitBytes())
        .isEqualTo(PlatformDependent.maxDirectMemory());
    large.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("E1")
  void aSampledBufferThatGrewAndIsDroppedBecomesALeak(boolean direct) {
    NettyPool pool = direct ? NettyPools.DIRECT : NettyPools.HEAP;
    long before = leaked();
    pool.engine().sampleIntervalBytes(1);
    try {
      drop(direct);
    } finally {
      pool.engine().sampleIntervalBytes(512 << 10);
    }
    GarbageCollection.untilAsserted(
        () -> {
          NettyLeakDetector.DETECTOR.poll();
          assertThat(leaked()).isEqualTo(before + 1);
        });
  }

  /** Grows and releases buffers until one is watched, and drops that one. */
  private void drop(boolean direct) {
    long watched = NettyLeakDetector.report(StackDetail.FRAMES).watched();
    for (int i = 0; i < 10_000_000; i++) {
      ByteBuf buffer = allocate(direct, 300, 1 << 20);
      assertThat(buffer.capacity(70_000).capacity()).isEqualTo(70_000);
      if (NettyLeakDetector.report(StackDetail.FRAMES).watched() > watched) {
        return;
      }
      buffer.release();
    }
    throw new AssertionError("no buffer was sampled");
  }

  private static long leaked() {
    LeakReport report = NettyLeakDetector.report(StackDetail.FRAMES);
    return report.entries().stream().mapToLong(entry -> entry.found()).sum();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBufferThatNettyTracksIsRemovedFromItsSlot(boolean direct) {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    try {
      Set<ByteBuf> bare = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < 10; i++) {
        ByteBuf wrapped = allocate(direct, 100, 200);
        assertThat(wrapped).isNotInstanceOf(CisternByteBuf.class);
        ByteBuf inner = wrapped;
        while (inner.unwrap() != null) {
          inner = inner.unwrap();
        }
        assertThat(inner).isInstanceOf(CisternByteBuf.class);
        assertThat(bare.add(inner)).as("a fresh object each time").isTrue();
        assertThat(wrapped.release()).isTrue();
      }
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  @Test
  void theSelfTestPassesAndIsNotCounted() {
    NettyBridge bridge = Bridge.open(BridgeDefaults.OPTIONS);
    assertThat(bridge.selfTest()).isNull();
    BridgeHook ofAllTests = BridgeHook.INSTANCE;
    assertThat(bridge.report().counters())
        .isEqualTo(new BridgeCounters(0, ofAllTests.fallbacks(), ofAllTests.failures()));
  }

  @Test
  void theNativeMemoryInTheReportIncludesThePool() {
    NettyBridge bridge = Bridge.open(BridgeDefaults.OPTIONS);
    assertThat(bridge.selfTest()).isNull();
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf held = new BridgeHook().newDirect(allocator, 100, 1_000);
    long reserved = bridge.pools().get(0).reservedBytes();
    NettyReport.DirectMemory memory = bridge.allocators(false).directMemory();
    assertThat(reserved).isPositive();
    if (PlatformDependent.useDirectBufferNoCleaner()) {
      assertThat(memory.inJvmAccountBytes()).isLessThan(reserved);
    } else {
      assertThat(memory.inJvmAccountBytes() - memory.pooledBytes() - memory.unpooledBytes())
          .isEqualTo(reserved);
    }
    held.release();
  }

  @Test
  void aLackOfMemoryIsAFallbackAndNoFault() {
    BridgeHook failing = new BridgeHook();
    long before = failing.fallbacks(); // all hooks count the failures without stack of other tests
    for (int i = 0; i < 2 * BridgeHook.MAX_FAILURES; i++) {
      failing.failed(i % 2 == 0 ? new OutOfMemoryError("host") : new StackOverflowError(), true);
    }
    assertThat(failing.fallbacks() - before).isEqualTo(2L * BridgeHook.MAX_FAILURES);
    assertThat(failing.failures()).isZero();
    assertThat(failing.takeFailure()).isNull();
    assertThat(failing.isPaused()).isFalse();
  }

  /** The agent's thread resumes the service during the faults that end it. */
  @Test
  void aServiceStoppedByFaultsIsFoundPaused() throws Exception {
    try {
      for (int round = 0; round < 2_000; round++) {
        BridgeHook faulty = new BridgeHook();
        CisternHook.live(faulty);
        Thread host = new Thread(() -> addFaults(faulty));
        host.start();
        while (CisternHook.live() != null && !faulty.isPaused()) {
          Thread.onSpinWait();
        }
        faulty.resume(); // as setMode does
        CisternHook.live(faulty);
        host.join();
        assertThat(CisternHook.live() == faulty || faulty.isPaused())
            .as("round %d", round)
            .isTrue();
      }
    } finally {
      CisternHook.live(null);
    }
  }

  private static void addFaults(BridgeHook hook) {
    for (int i = 0; i < BridgeHook.MAX_FAILURES; i++) {
      hook.addFault(new IllegalStateException("injected fault"));
    }
  }

  @Test
  void aFaultDuringAMoveIsCountedAndThrownAsNettyDoes() {
    IllegalStateException fault = new IllegalStateException("injected fault");
    MemorySource failing =
        new MemorySource() {
          @Override
          public Region allocate(int bytes) {
            throw fault;
          }

          @Override
          public void free(Region region) {}

          @Override
          public long usedBytes() {
            return 0;
          }

          @Override
          public long limitBytes() {
            return Long.MAX_VALUE;
          }
        };
    NettyPool pool = new NettyPool(MemoryKind.HEAP, failing);
    BridgeHook.INSTANCE.resume();
    long before = BridgeHook.INSTANCE.failures();
    assertThatThrownBy(() -> pool.allocateToMove(1_000))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("1000 bytes")
        .hasCause(fault);
    assertThat(BridgeHook.INSTANCE.failures() - before).isOne();
    assertThat(BridgeHook.INSTANCE.takeFailure()).isSameAs(fault);
    pool.engine().close();
  }

  /** At the end of the stack, no method can be called to count the failure. */
  @Test
  void aFailureThatCannotBeCountedIsAFallbackAndDoesNotEndTheService() {
    CisternHook failing =
        new CisternHook() {
          @Override
          protected ByteBuf newDirect(AbstractByteBufAllocator source, int capacity, int limit) {
            throw new StackOverflowError();
          }

          @Override
          protected ByteBuf newHeap(AbstractByteBufAllocator source, int capacity, int limit) {
            throw new StackOverflowError();
          }

          @Override
          protected void failed(Throwable failure, boolean isDirect) {
            throw new StackOverflowError();
          }
        };
    long before = hook.fallbacks();
    CisternHook.live(failing);
    try {
      assertThat(CisternHook.direct(allocator, 1, 1)).isNull();
      assertThat(CisternHook.heap(allocator, 1, 1)).isNull();
      assertThat(CisternHook.live()).isSameAs(failing);
    } finally {
      CisternHook.live(null);
    }
    assertThat(hook.fallbacks()).isEqualTo(before + 2);
  }

  /** Any exception is handled, such as one from another agent's code in a class of Cistern. */
  @Test
  void aFaultLeavesOneAllocationToNettyAndManyPauseTheService() {
    BridgeHook failing = new BridgeHook();
    long before = failing.fallbacks();
    for (int i = 1; i < BridgeHook.MAX_FAILURES; i++) {
      failing.failed(new NoClassDefFoundError("not ours"), true);
    }
    assertThat(failing.isPaused()).isFalse();
    assertThat(failing.takeFailure()).isInstanceOf(NoClassDefFoundError.class);
    assertThat(failing.takeFailure()).isNull();
    for (int i = 0; i < BridgeHook.MAX_FAILURES; i++) {
      assertThat(failing.isPaused()).isFalse();
      failing.failed(new AssertionError("not ours"), false);
    }
    assertThat(failing.isPaused()).isTrue();
    failing.resume();
    assertThat(failing.isPaused()).isFalse();
    assertThat(failing.failures()).isEqualTo(2L * BridgeHook.MAX_FAILURES - 1);
    assertThat(failing.fallbacks()).isEqualTo(before);
  }
}

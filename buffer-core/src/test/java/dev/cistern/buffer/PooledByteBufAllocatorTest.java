/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.NativeMemory;
import dev.cistern.pool.PoolInvariants;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the pooled allocator beyond its pools. */
class PooledByteBufAllocatorTest {
  private static final int PAGE_BYTES = 8192;
  private static final int MAX_ORDER = 7;
  private static final int CHUNK_BYTES = PAGE_BYTES << MAX_ORDER;

  private static PooledByteBufAllocator allocator(int heapArenas, int directArenas) {
    return new PooledByteBufAllocator(true, heapArenas, directArenas, PAGE_BYTES, MAX_ORDER);
  }

  @Test
  @Tag("A1")
  void arenasAreTwiceTheCoresUnlessMemoryIsSmall() {
    int chunk = 4 << 20;
    assertThat(AllocatorSettings.defaultArenas(8, 64L << 30, chunk)).isEqualTo(16);
    assertThat(AllocatorSettings.defaultArenas(8, 240L << 20, chunk)).isEqualTo(10);
    assertThat(AllocatorSettings.defaultArenas(8, 16L << 20, chunk)).isZero();
    assertThat(AllocatorSettings.defaultArenas(8, Long.MAX_VALUE, chunk)).isEqualTo(16);
  }

  @Test
  @Tag("A1")
  @Unwatched("it compares the classes of buffers")
  void withoutArenasOfAKindItsBuffersAreNotPooled() {
    PooledByteBufAllocator allocator = allocator(0, 0);
    assertThat(allocator.isDirectBufferPooled()).isFalse();
    ByteBuf heap = allocator.heapBuffer(100);
    ByteBuf direct = allocator.directBuffer(100);
    assertThat(heap).isInstanceOf(UnpooledByteBuf.class);
    assertThat(direct).isInstanceOf(UnpooledByteBuf.class);
    assertThat(heap.alloc()).isSameAs(allocator);
    assertThat(allocator.metric().usedHeapMemory()).isEqualTo(100);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(100);
    direct.capacity(10_000).setLong(9_000, 7);
    heap.release();
    direct.release();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(allocator.metric().directArenas()).isEmpty();
    assertThat(allocator.trimCurrentThreadCache()).isFalse();
  }

  @Test
  @Tag("A11")
  @Unwatched("its objects are reused")
  void aBufferUsedAgainIsAsGoodAsNew() {
    PooledByteBufAllocator allocator = allocator(1, 1);
    ByteBuf first = allocator.directBuffer(100, 200);
    first.writeZero(50).skipBytes(20).markReaderIndex().markWriterIndex();
    first.release();
    ByteBuf second = allocator.directBuffer(98, 150);
    assertThat(second).as("the slot's own object").isSameAs(first);
    assertThat(second.readerIndex()).isZero();
    assertThat(second.writerIndex()).isZero();
    assertThat(second.capacity()).isEqualTo(98);
    assertThat(second.maxCapacity()).isEqualTo(150);
    assertThat(second.refCnt()).isEqualTo(1);
    second.writeZero(30).skipBytes(10);
    assertThat(second.resetReaderIndex().readerIndex()).isZero();
    assertThat(second.resetWriterIndex().writerIndex()).isZero();
    second.release();
    PoolInvariants.check(allocator.pool(true));
  }

  @Test
  @Tag("A11")
  @Unwatched("its objects are reused")
  void aBufferThatMovedLeavesItsSlotWithAnObject() {
    PooledByteBufAllocator allocator = allocator(1, 1);
    ByteBuf grown = allocator.directBuffer(64);
    grown.setLong(0, 42).capacity(5000);
    ByteBuf inTheOldSlot = allocator.directBuffer(64);
    ByteBuf other = allocator.directBuffer(5000);
    inTheOldSlot.setLong(0, 1);
    other.setLong(0, 2);
    assertThat(grown.getLong(0)).isEqualTo(42);
    assertThat(List.of(grown.memoryAddress(), inTheOldSlot.memoryAddress(), other.memoryAddress()))
        .doesNotHaveDuplicates();
    grown.release();
    ByteBuf again = allocator.directBuffer(5000);
    assertThat(again).isSameAs(grown);
    again.release();
    inTheOldSlot.release();
    other.release();
    PoolInvariants.check(allocator.pool(true));
    assertThat(allocator.pinnedDirectMemory()).isZero();
  }

  @Test
  @Tag("A13")
  @Tag("A16")
  void everyBufferStartsAtTheSameCapacity() {
    PooledByteBufAllocator allocator = allocator(1, 1);
    for (ByteBuf buffer :
        List.of(
            allocator.buffer(),
            allocator.ioBuffer(),
            allocator.heapBuffer(),
            allocator.directBuffer())) {
      assertThat(buffer.capacity()).isEqualTo(256);
      assertThat(buffer.maxCapacity()).isEqualTo(Integer.MAX_VALUE);
      buffer.release();
    }
    ByteBuf io = allocator.ioBuffer(10, 20);
    assertThat(io.isDirect()).isTrue();
    assertThat(io.maxCapacity()).isEqualTo(20);
    io.release();
  }

  @Test
  @Tag("A14")
  void capacityDoublesThenGrowsInSteps() {
    ByteBufAllocator allocator = TestAllocators.UNPOOLED;
    int most = Integer.MAX_VALUE;
    assertThat(allocator.calculateNewCapacity(0, most)).isEqualTo(64);
    assertThat(allocator.calculateNewCapacity(64, most)).isEqualTo(64);
    assertThat(allocator.calculateNewCapacity(65, most)).isEqualTo(128);
    assertThat(allocator.calculateNewCapacity((4 << 20) - 1, most)).isEqualTo(4 << 20);
    assertThat(allocator.calculateNewCapacity(4 << 20, most)).isEqualTo(4 << 20);
    assertThat(allocator.calculateNewCapacity((4 << 20) + 1, most)).isEqualTo(8 << 20);
    assertThat(allocator.calculateNewCapacity((40 << 20) + 5, most)).isEqualTo(44 << 20);
    assertThat(allocator.calculateNewCapacity(1000, 1010)).isEqualTo(1010);
    assertThat(allocator.calculateNewCapacity(most, most)).isEqualTo(most);
    assertThatThrownBy(() -> allocator.calculateNewCapacity(11, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("11", "10");
    assertThatThrownBy(() -> allocator.calculateNewCapacity(-1, 10))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, Integer.MIN_VALUE})
  void refusesAMaximumBelowTheInitialCapacity(int maxCapacity) {
    for (ByteBufAllocator allocator :
        List.of(TestAllocators.POOLED, TestAllocators.UNCACHED, TestAllocators.UNPOOLED)) {
      assertThatThrownBy(() -> allocator.directBuffer(1, maxCapacity))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("initialCapacity: 1", "maxCapacity, " + maxCapacity);
      assertThatThrownBy(() -> allocator.heapBuffer(1, maxCapacity))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @Tag("A14")
  void capacityIsTheAllocatorsToCalculate() {
    PooledByteBufAllocator allocator =
        new PooledByteBufAllocator(true, 1, 1, PAGE_BYTES, MAX_ORDER) {
          @Override
          public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
            return minNewCapacity + 3;
          }
        };
    ByteBuf buffer = allocator.directBuffer(16, 10_000);
    buffer.writeZero(5000);
    assertThat(buffer.capacity()).isEqualTo(5003);
    buffer.release();
  }

  @Test
  @Tag("A15")
  @Unwatched("slots in quarantine are in use")
  void theDirectMemoryLimitFailsClearlyAndLeavesThePoolSound() {
    DirectMemoryLimit limit = new DirectMemoryLimit(3L * CHUNK_BYTES);
    AllocatorSettings settings =
        AllocatorSettings.ofProcess().withArenas(1, 1).withPages(PAGE_BYTES, MAX_ORDER);
    PooledByteBufAllocator allocator =
        new PooledByteBufAllocator(
            true, settings, new DirectMemorySource(limit, 0, false), new HeapMemorySource());
    List<ByteBuf> held = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                held.add(allocator.directBuffer(CHUNK_BYTES / 2));
              }
            })
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContainingAll(
            "used: " + 3 * CHUNK_BYTES, "limit: " + 3 * CHUNK_BYTES, "" + CHUNK_BYTES);
    assertThat(held).hasSize(6);
    ByteBuf survivor = held.remove(0).writeLong(42);
    assertThatThrownBy(() -> survivor.capacity(CHUNK_BYTES)).isInstanceOf(OutOfMemoryError.class);
    assertThat(survivor.readLong()).as("a growth that fails changes nothing").isEqualTo(42);
    assertThat(survivor.capacity()).isEqualTo(CHUNK_BYTES / 2);
    survivor.release();
    held.forEach(ByteBuf::release);
    PoolInvariants.check(allocator.pool(true));
    assertThat(allocator.pinnedDirectMemory()).isZero();
    assertThat(allocator.pool(true).snapshot().failedAllocations()).isEqualTo(2);
  }

  @Test
  @Tag("A16")
  void settingsAreChecked() {
    assertThatThrownBy(() -> allocator(-1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("nHeapArena", "-1");
    assertThatThrownBy(() -> new PooledByteBufAllocator(1, 1, 5000, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("pageSize", "5000");
    assertThatThrownBy(() -> new PooledByteBufAllocator(1, 1, 8192, 15))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("maxOrder", "15");
    assertThatThrownBy(() -> new PooledByteBufAllocator(1, 1, 8192, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("maxOrder: 4", "5 to 14");
    assertThatThrownBy(() -> new PooledByteBufAllocator(true, 1, 1, 8192, 9, 256, 64, true, 48))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("directMemoryCacheAlignment", "48");
    assertThatThrownBy(() -> TestAllocators.POOLED.buffer(10, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("10", "9");
    assertThatThrownBy(() -> TestAllocators.POOLED.buffer(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Tag("A16")
  void settingsTakeEffect() {
    PooledByteBufAllocator allocator =
        new PooledByteBufAllocator(false, 3, 2, 4096, 8, 5, 6, true, 64);
    PooledByteBufAllocatorMetric metric = allocator.metric();
    assertThat(metric.numHeapArenas()).isEqualTo(3);
    assertThat(metric.numDirectArenas()).isEqualTo(2);
    assertThat(metric.heapArenas()).hasSize(3);
    assertThat(metric.chunkSize()).isEqualTo(4096 << 8);
    assertThat(metric.smallCacheSize()).isEqualTo(5);
    assertThat(metric.normalCacheSize()).isEqualTo(6);
    assertThat(allocator.pool(true).settings().alignment()).isEqualTo(64);
    ByteBuf buffer = allocator.buffer(10);
    assertThat(buffer.isDirect()).isFalse();
    buffer.release();
    ByteBuf direct = allocator.directBuffer(10);
    assertThat(direct.memoryAddress() % 64).isZero();
    direct.release();
    assertThat(ByteBufAllocator.DEFAULT).isSameAs(PooledByteBufAllocator.DEFAULT);
    assertThat(PooledByteBufAllocator.defaultMaxOrder()).isEqualTo(9);
    assertThat(PooledByteBufAllocator.defaultPageSize()).isEqualTo(8192);
  }

  @Test
  @Tag("A16")
  void effectiveSettingsAreLogged() {
    List<String> logged = new ArrayList<>();
    Logger logger = Logger.getLogger(PooledByteBufAllocator.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    handler.setLevel(Level.ALL);
    logger.setLevel(Level.FINE);
    logger.addHandler(handler);
    try {
      allocator(3, 2);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(logged)
        .singleElement()
        .asString()
        .contains("heapArenas=3", "directArenas=2", "pageBytes=8192", "preferDirect=true")
        .contains("extentCacheBytes=268435456", "idleCacheMillis=10000", "sharedCaches=")
        .contains("maxDirectMemory=" + DirectMemoryLimit.shared().limitBytes())
        .contains("memory by " + NativeMemory.way().label());
  }

  @Test
  @Tag("A9")
  @Tag("A10")
  void aThreadsCachesCanBeTrimmedAndFreed() {
    PooledByteBufAllocator allocator = allocator(1, 1);
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      buffers.add(allocator.directBuffer(1000));
      buffers.add(allocator.heapBuffer(40_000));
    }
    buffers.forEach(ByteBuf::release);
    long cached = cachedBytes(allocator);
    assertThat(allocator.metric().numThreadLocalCaches()).isEqualTo(2);
    assertThat(allocator.trimCurrentThreadCache()).isTrue();
    assertThat(cachedBytes(allocator)).isLessThan(cached);
    allocator.freeThreadLocalCache();
    assertThat(cachedBytes(allocator)).isZero();
    assertThat(allocator.metric().numThreadLocalCaches()).isZero();
    allocator.directBuffer(1000).release();
    assertThat(allocator.metric().numThreadLocalCaches()).isEqualTo(1);
    PoolInvariants.check(allocator.pool(true));
  }

  private static long cachedBytes(PooledByteBufAllocator allocator) {
    return allocator.pool(true).snapshot().cachedBytes()
        + allocator.pool(false).snapshot().cachedBytes();
  }

  @Test
  @Tag("A8")
  @Unwatched("slots in quarantine are in use")
  void aBufferMayBeReleasedByAnotherThread() {
    PooledByteBufAllocator allocator = allocator(1, 1);
    for (int i = 0; i < 1000; i++) {
      ByteBuf buffer = allocator.directBuffer(100 + i);
      CompletableFuture.runAsync(buffer::release).join();
    }
    assertThat(allocator.pinnedDirectMemory()).isZero();
    assertThat(allocator.pool(true).snapshot().remoteReleases()).isPositive();
    assertThat(allocator.metric().usedDirectMemory()).as("reused").isEqualTo(CHUNK_BYTES);
    PoolInvariants.check(allocator.pool(true));
  }
}

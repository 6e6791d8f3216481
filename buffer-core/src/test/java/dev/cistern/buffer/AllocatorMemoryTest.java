/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.PoolSettings;
import dev.cistern.testing.GarbageCollection;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the memory behind an allocator's buffers, and of its settings. */
class AllocatorMemoryTest {
  private static final int SLOT_BYTES = 4096;

  private static PooledByteBufAllocator allocator(boolean useCleaner) {
    return new PooledByteBufAllocator(
        true,
        AllocatorSettings.ofProcess().withArenas(1, 1).withPages(8192, 7),
        new DirectMemorySource(new DirectMemoryLimit(64L << 20), 0, useCleaner),
        new HeapMemorySource());
  }

  @Test
  @Tag("A11")
  @Unwatched("its objects are reused")
  void aFreedSubpageKeepsNoBuffersOrViewsReachable() {
    PooledByteBufAllocator allocator = allocator(false);
    List<WeakReference<ByteBuf>> buffers = new ArrayList<>();
    List<WeakReference<ByteBuffer>> views = new ArrayList<>();
    useManySubpages(allocator, buffers, views);
    long bound = buffers.stream().filter(buffer -> !buffer.refersTo(null)).count();
    assertThat(bound).as("bound to their slots while the subpages are there").isEqualTo(200);
    allocator.freeThreadLocalCache();
    assertThat(allocator.pool(true).snapshot().subpages()).isZero();
    GarbageCollection.until(
        () ->
            Stream.concat(buffers.stream(), views.stream())
                .allMatch(reference -> reference.refersTo(null)));
  }

  private static void useManySubpages(
      PooledByteBufAllocator allocator,
      List<WeakReference<ByteBuf>> buffers,
      List<WeakReference<ByteBuffer>> views) {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ByteBuf buffer = allocator.directBuffer(SLOT_BYTES);
      held.add(buffer);
      buffers.add(new WeakReference<>(buffer));
      views.add(new WeakReference<>(buffer.internalNioBuffer(0, SLOT_BYTES)));
    }
    // The buffers are released together, so that the pool does not free the subpages one by one.
    held.forEach(ByteBuf::release);
  }

  @Test
  @Tag("A11")
  @Unwatched("its objects are reused")
  void aBufferUsedAgainKeepsItsMemoryAndItsView() {
    PooledByteBufAllocator allocator = allocator(false);
    ByteBuf first = allocator.directBuffer(SLOT_BYTES);
    ByteBuffer view = first.internalNioBuffer(0, SLOT_BYTES);
    long address = first.memoryAddress();
    first.release();
    ByteBuf again = allocator.directBuffer(SLOT_BYTES);
    assertThat(again.memoryAddress()).isEqualTo(address);
    assertThat(again.internalNioBuffer(0, SLOT_BYTES)).isSameAs(view);
    again.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("A12")
  void bothKindsArePooledWithAndWithoutACleaner(boolean useCleaner) {
    PooledByteBufAllocator allocator = allocator(useCleaner);
    ByteBuf direct = allocator.directBuffer(SLOT_BYTES);
    ByteBuf heap = allocator.heapBuffer(SLOT_BYTES);
    assertThat(direct.isDirect()).isTrue();
    assertThat(direct.hasMemoryAddress()).isTrue();
    assertThat(heap.isDirect()).isFalse();
    assertThat(heap.hasArray()).isTrue();
    for (ByteBuf buffer : List.of(direct, heap)) {
      buffer.writeLong(42);
      assertThat(buffer.nioBuffer().getLong()).isEqualTo(42);
      buffer.release();
    }
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(8192 << 7);
    assertThat(allocator.metric().usedHeapMemory()).isEqualTo(8192 << 7);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, SLOT_BYTES, 100_000})
  @Tag("A12")
  @Unwatched("its slots are reused at once")
  void reusedMemoryIsNotZeroed(int bytes) {
    PooledByteBufAllocator allocator = allocator(false);
    for (boolean direct : new boolean[] {true, false}) {
      ByteBuf first = direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
      first.setByte(bytes - 1, 77);
      first.release();
      ByteBuf again = direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
      assertThat(again).isSameAs(first);
      assertThat(again.getByte(bytes - 1)).as("zeroing would cost time").isEqualTo((byte) 77);
      again.release();
    }
  }

  @Test
  @Tag("A16")
  void everySettingHasAProperty() {
    AllocatorSettings expected =
        new AllocatorSettings(
            3, 5, 16384, 6, 64, new CacheSettings(17, 19, false, 7, 65_536, 1024, 1234, 4321));
    Properties before = (Properties) System.getProperties().clone();
    String prefix = "cistern.allocator.";
    try {
      System.setProperty(prefix + "numHeapArenas", "3");
      System.setProperty(prefix + "numDirectArenas", "5");
      System.setProperty(prefix + "pageSize", "16384");
      System.setProperty(prefix + "maxOrder", "6");
      System.setProperty(prefix + "smallCacheSize", "17");
      System.setProperty(prefix + "normalCacheSize", "19");
      System.setProperty(prefix + "useCacheForAllThreads", "false");
      System.setProperty(prefix + "directMemoryCacheAlignment", "64");
      System.setProperty(prefix + "cacheTrimInterval", "1024");
      System.setProperty(prefix + "decayMillis", "1234");
      System.setProperty(prefix + "idleCacheMillis", "4321");
      System.setProperty(prefix + "sharedCaches", "7");
      System.setProperty(prefix + "extentCacheBytes", "65536");
      assertThat(AllocatorSettings.ofProcess()).isEqualTo(expected);
    } finally {
      System.setProperties(before);
    }
    assertThat(AllocatorSettings.ofProcess()).isNotEqualTo(expected);
  }

  @Test
  @Tag("A16")
  void everySettingReachesBothPoolsByConstructor() {
    CacheSettings caches = new CacheSettings(17, 19, false, 7, 65_536, 1024, 1234, 4321);
    PooledByteBufAllocator allocator =
        new PooledByteBufAllocator(true, new AllocatorSettings(3, 5, 16384, 6, 64, caches));
    for (boolean direct : new boolean[] {true, false}) {
      PoolSettings settings = allocator.pool(direct).settings();
      assertThat(settings.arenas()).isEqualTo(direct ? 5 : 3);
      assertThat(settings.pageBytes()).isEqualTo(16384);
      assertThat(settings.chunkBytes()).isEqualTo(16384 << 6);
      assertThat(settings.alignment()).isEqualTo(direct ? 64 : 0);
      assertThat(settings.threadCaches()).isFalse();
      assertThat(settings.idleBytesPerThread()).isEqualTo(19 * 32_768L);
      assertThat(settings.sharedCaches()).isEqualTo(7);
      assertThat(settings.extentCacheBytes()).isEqualTo(65_536);
      assertThat(settings.trimIntervalAllocations()).isEqualTo(1024);
      assertThat(settings.decayMillis()).isEqualTo(1234);
      assertThat(settings.idleCacheMillis()).isEqualTo(4321);
    }
  }

  @Test
  @Tag("A16")
  void theDefaultsAreTheEnginesOwn() {
    PoolSettings settings = PooledByteBufAllocator.DEFAULT.pool(true).settings();
    try (BufferPool engine =
        BufferPool.builder(
                MemoryKind.HEAP,
                new HeapMemorySource(),
                new PooledByteBufBinder(PooledByteBufAllocator.DEFAULT, true))
            .maintenanceThread(false)
            .build()) {
      PoolSettings own = engine.settings();
      assertThat(settings.pageBytes()).isEqualTo(own.pageBytes());
      assertThat(settings.chunkBytes()).isEqualTo(own.chunkBytes());
      assertThat(settings.sharedCaches()).isEqualTo(own.sharedCaches());
      assertThat(settings.idleBytesPerThread()).isEqualTo(own.idleBytesPerThread());
      assertThat(settings.extentCacheBytes()).isEqualTo(own.extentCacheBytes());
      assertThat(settings.trimIntervalAllocations()).isEqualTo(own.trimIntervalAllocations());
      assertThat(settings.decayMillis()).isEqualTo(own.decayMillis());
      assertThat(settings.idleCacheMillis()).isEqualTo(own.idleCacheMillis());
    }
  }

  @Test
  @Tag("A16")
  void settingsOfCachesAreChecked() {
    assertThatThrownBy(() -> new CacheSettings(1, 1, true, 0, 0, 1024, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sharedCaches: 0 (expected: 1 to 4096)");
    assertThatThrownBy(() -> new CacheSettings(1, 1, true, 1, 0, 1000, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cacheTrimInterval: 1000 (expected: a power of two >= 1)");
    assertThatThrownBy(() -> new CacheSettings(1, -1, true, 1, 0, 1024, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("normalCacheSize: -1");
    assertThatThrownBy(() -> new CacheSettings(1, 1, true, 1, 0, 1024, 0, -2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("idleCacheMillis: -2");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.testing.GarbageCollection;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The statistics that a bridge reads from Netty's allocators. */
@ExtendWith(BridgeDefaults.class)
class ObservedAllocatorsTest {
  private static final int CHUNK_BYTES = 8_192 << 9;

  @SuppressWarnings("deprecation") // the shortest constructor with numbers of arenas
  private static PooledByteBufAllocator pooled() {
    return new PooledByteBufAllocator(true, 2, 2, 8_192, 9);
  }

  private static NettyAllocatorReport report(AbstractByteBufAllocator allocator, String memory) {
    int number =
        KnownAllocators.seen().stream()
            .filter(seen -> seen.refersTo(allocator))
            .mapToInt(KnownAllocators.Known::number)
            .findFirst()
            .orElseThrow();
    return ObservedAllocators.read().stream()
        .filter(part -> part.number() == number && part.memory().equals(memory))
        .findFirst()
        .orElseThrow();
  }

  private static long allocations() {
    return ObservedAllocators.read().stream()
        .filter(part -> part.memory().equals("direct"))
        .mapToLong(part -> part.allocations().get(1))
        .sum();
  }

  private static List<ByteBuf> use(PooledByteBufAllocator allocator) {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      held.add(allocator.directBuffer(100_000));
      held.add(allocator.directBuffer(100));
    }
    held.add(allocator.directBuffer(2 * CHUNK_BYTES));
    held.add(allocator.directBuffer(100_000));
    held.remove(held.size() - 1).release(); // now in a thread's cache, or free
    return held;
  }

  @Test
  void theStatisticsAreThoseOfNetty() {
    PooledByteBufAllocator allocator = pooled();
    KnownAllocators.see(allocator);
    List<ByteBuf> held = use(allocator);
    NettyAllocatorReport direct = report(allocator, "direct");
    PooledByteBufAllocatorMetric metric = allocator.metric();
    assertThat(direct.isPooled()).isTrue();
    assertThat(direct.arenas()).isEqualTo(2);
    assertThat(direct.chunkSizeBytes()).isEqualTo(CHUNK_BYTES);
    assertThat(direct.reservedBytes()).isEqualTo(metric.usedDirectMemory());
    assertThat(direct.pinnedBytes()).isEqualTo(allocator.pinnedDirectMemory());
    assertThat(direct.hugeBytes()).isEqualTo(2 * CHUNK_BYTES);
    assertThat(direct.allocations()).containsExactly(100L, 101L, 1L);
    assertThat(direct.deallocations()).containsExactly(0L, direct.deallocations().get(1), 0L);
    assertThat(direct.chunks().stream().mapToLong(chunks -> chunks * CHUNK_BYTES).sum())
        .isEqualTo(direct.reservedBytes() - direct.hugeBytes());
    assertThat(direct.threadCaches()).hasSize(2);
    assertThat(direct.allThreadCaches()).isEqualTo(1);
    assertThat(direct.pinnedBytes() + direct.cachedBytes() + direct.freePageBytes())
        .isEqualTo(direct.reservedBytes());
    assertThat(report(allocator, "heap").reservedBytes()).isZero();
    held.forEach(ByteBuf::release);
  }

  /** The bands are in Netty's order: a chunk moves to a higher band as it fills. */
  @Test
  void chunksAreCountedInTheirBand() {
    PooledByteBufAllocator allocator = pooled();
    KnownAllocators.see(allocator);
    ByteBuf little = allocator.directBuffer(8_192);
    assertThat(report(allocator, "direct").chunks()).containsExactly(1L, 0L, 0L, 0L, 0L, 0L);
    ByteBuf rest = allocator.directBuffer(CHUNK_BYTES * 7 / 8);
    assertThat(report(allocator, "direct").chunks()).containsExactly(0L, 0L, 0L, 1L, 0L, 0L);
    little.release();
    rest.release();
  }

  @Test
  void anAdaptiveAllocatorReportsOnlyItsReservedBytes() {
    AdaptiveByteBufAllocator allocator = new AdaptiveByteBufAllocator();
    KnownAllocators.see(allocator);
    ByteBuf held = allocator.directBuffer(10_000);
    NettyAllocatorReport direct = report(allocator, "direct");
    assertThat(direct.isPooled()).isFalse();
    assertThat(direct.reservedBytes()).isEqualTo(allocator.usedDirectMemory()).isPositive();
    assertThat(direct.cachedBytes()).isEqualTo(direct.reservedBytes());
    held.release();
  }

  private static final long ALL_PAGES = 1 << 20;

  @Test
  void theResidentPartOfAPooledArenaIsTheTouchedPages() {
    assumeTrue(Files.isReadable(Path.of("/proc/self/pagemap")));
    PooledByteBufAllocator allocator = pooled();
    KnownAllocators.see(allocator);
    assertThat(report(allocator, "direct").residentBytes()).as("no chunk").isZero();
    ByteBuf part = allocator.directBuffer(1 << 20);
    assertThat(report(allocator, "direct").residentBytes()).as("not measured").isEqualTo(-1);
    ByteBuf huge = allocator.directBuffer(2 * CHUNK_BYTES);
    ChunkResidency.measureNow(ALL_PAGES);
    long before = report(allocator, "direct").residentBytes();
    part.setZero(0, 1 << 20);
    ChunkResidency.measureNow(ALL_PAGES);
    NettyAllocatorReport direct = report(allocator, "direct");
    if (before < 2 * CHUNK_BYTES + (1 << 19)) { // Netty without the no-cleaner method clears all
      assertThat(direct.residentBytes() - before).isBetween((1 << 20) - 8_192L, 3L << 20);
    }
    assertThat(direct.residentBytes())
        .isBetween(2 * CHUNK_BYTES + (1L << 20), direct.reservedBytes());
    assertThat(report(allocator, "heap").residentBytes()).isEqualTo(-1);
    ByteBuf chunk = allocator.directBuffer(CHUNK_BYTES);
    assertThat(report(allocator, "direct").residentBytes() - direct.residentBytes())
        .as("a chunk that is newer than the measurement")
        .isEqualTo(CHUNK_BYTES);
    chunk.release();
    part.release();
    huge.release();
  }

  @Test
  void aSampleOfChunksIsExtrapolated() {
    assumeTrue(Files.isReadable(Path.of("/proc/self/pagemap")));
    PooledByteBufAllocator allocator = pooled();
    KnownAllocators.see(allocator);
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      held.add(allocator.directBuffer(CHUNK_BYTES));
      held.get(i).setZero(0, CHUNK_BYTES);
    }
    for (int round = 0; round < 3; round++) {
      ChunkResidency.measureNow(1_000);
      assertThat(report(allocator, "direct").residentBytes()).isEqualTo(4L * CHUNK_BYTES);
    }
    held.forEach(ByteBuf::release);
  }

  /** Its constructor may still run, so its fields must not be read. */
  @Test
  void anInstanceThatHasNotAllocatedIsNotRead() {
    PooledByteBufAllocator allocator = pooled();
    int before = ObservedAllocators.read().size();
    KnownAllocators.created(allocator);
    assertThat(ObservedAllocators.read()).hasSize(before);
    KnownAllocators.see(allocator);
    assertThat(report(allocator, "direct").arenas()).isEqualTo(2);
  }

  private static void useAndDrop() {
    PooledByteBufAllocator allocator = pooled();
    KnownAllocators.see(allocator);
    use(allocator).forEach(ByteBuf::release);
  }

  @Test
  void countersOfACollectedInstanceStay() throws InterruptedException {
    long before = allocations();
    Thread user = new Thread(ObservedAllocatorsTest::useAndDrop); // its cache holds the instance
    user.start();
    user.join();
    int instances = KnownAllocators.list().size();
    long counted = allocations();
    assertThat(counted).isGreaterThanOrEqualTo(before + 101);
    GarbageCollection.until(() -> KnownAllocators.list().size() < instances);
    assertThat(allocations()).isEqualTo(counted);
    assertThat(allocations()).isEqualTo(counted); // and is not counted again
  }
}

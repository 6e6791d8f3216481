/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.netty.buffer.PooledByteBufAllocator;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the metric interfaces with Netty 4.1's: the same calls must give the same values if both
 * have the same meaning. Netty runs without thread caches here, because it does not count
 * allocations from these caches.
 */
@Tag("F1")
@Tag("F2")
@Tag("F3")
@Tag("F4")
@Unwatched("slots in quarantine are not released yet")
class MetricDifferentialTest {
  private static final int ARENAS = 2;
  private static final int PAGE_BYTES = 8192;
  private static final int MAX_ORDER = 7;
  private static final int CHUNK_BYTES = PAGE_BYTES << MAX_ORDER;
  private static final int OPERATIONS = 4_000;

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final PooledByteBufAllocator theirs =
      new PooledByteBufAllocator(true, ARENAS, ARENAS, PAGE_BYTES, MAX_ORDER, 0, 0, false);
  private final dev.cistern.buffer.PooledByteBufAllocator ours =
      new dev.cistern.buffer.PooledByteBufAllocator(
          true, ARENAS, ARENAS, PAGE_BYTES, MAX_ORDER, 0, 0, true);

  private static final Map<Class<?>, Class<?>> INTERFACES =
      Map.of(
          io.netty.buffer.PoolArenaMetric.class, PoolArenaMetric.class,
          io.netty.buffer.PoolChunkListMetric.class, PoolChunkListMetric.class,
          io.netty.buffer.PoolChunkMetric.class, PoolChunkMetric.class,
          io.netty.buffer.PoolSubpageMetric.class, PoolSubpageMetric.class,
          io.netty.buffer.ByteBufAllocatorMetric.class, ByteBufAllocatorMetric.class,
          io.netty.buffer.PooledByteBufAllocatorMetric.class, PooledByteBufAllocatorMetric.class);

  /**
   * Returns whether the method is about tiny sizes, which no longer exist: Netty always returns 0.
   */
  private static boolean isOfTiny(String method) {
    return method.toLowerCase(Locale.ROOT).contains("tiny");
  }

  private static Set<String> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !isOfTiny(method.getName()))
        .map(MetricDifferentialTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return method.getReturnType().getSimpleName() + " " + method.getName();
  }

  @Test
  void theInterfacesHaveTheSameMethods() {
    INTERFACES.forEach(
        (netty, cistern) ->
            assertThat(methods(cistern)).as(cistern.toString()).containsAll(methods(netty)));
  }

  @Test
  void chunkListsHaveTheSameUsagesAtBothEnds() {
    List<String> expected = new ArrayList<>();
    for (var list : theirs.metric().directArenas().get(0).chunkLists()) {
      expected.add(list.minUsage() + " to " + list.maxUsage());
    }
    List<String> actual = new ArrayList<>();
    for (var list : ours.metric().directArenas().get(0).chunkLists()) {
      actual.add(list.minUsage() + " to " + list.maxUsage());
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(ours.metric().directArenas().get(0).numChunkLists())
        .isEqualTo(theirs.metric().directArenas().get(0).numChunkLists());
  }

  @Test
  void aNewAllocatorReportsTheSameMetrics() {
    assertThat(ours.metric().numDirectArenas()).isEqualTo(theirs.metric().numDirectArenas());
    assertThat(ours.metric().numHeapArenas()).isEqualTo(theirs.metric().numHeapArenas());
    assertThat(ours.metric().chunkSize()).isEqualTo(theirs.metric().chunkSize());
    assertThat(ours.metric().smallCacheSize()).isEqualTo(theirs.metric().smallCacheSize());
    assertThat(ours.metric().normalCacheSize()).isEqualTo(theirs.metric().normalCacheSize());
    assertThat(ours.metric().usedDirectMemory()).isEqualTo(theirs.metric().usedDirectMemory());
    assertThat(ours.metric().usedHeapMemory()).isEqualTo(theirs.metric().usedHeapMemory());
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 32, 40, 64, 96, 128})
  void theOnlyChunkIsUsedAsMuch(int pages) {
    io.netty.buffer.ByteBuf their = theirs.directBuffer(pages * PAGE_BYTES);
    ByteBuf our = ours.directBuffer(pages * PAGE_BYTES);
    long theirUsage = 0;
    for (var arena : theirs.metric().directArenas()) {
      for (var list : arena.chunkLists()) {
        for (var chunk : list) {
          theirUsage += chunk.usage();
          assertThat(chunk.chunkSize()).isEqualTo(CHUNK_BYTES);
        }
      }
    }
    long ourUsage = 0;
    for (var arena : ours.metric().directArenas()) {
      for (var list : arena.chunkLists()) {
        for (var chunk : list) {
          ourUsage += chunk.usage();
          assertThat(chunk.chunkSize()).isEqualTo(CHUNK_BYTES);
        }
      }
    }
    // Cistern rounds the pages in use down; Netty rounds the free pages down.
    assertThat(ourUsage).isCloseTo(theirUsage, within(1L));
    assertThat(ourUsage == 100).isEqualTo(theirUsage == 100);
    assertThat(ours.metric().usedDirectMemory()).isEqualTo(theirs.metric().usedDirectMemory());
    their.release();
    our.release();
  }

  private void assertSame(
      ToLongFunction<io.netty.buffer.PoolArenaMetric> their,
      ToLongFunction<PoolArenaMetric> our,
      String figure) {
    assertThat(ours.metric().directArenas().stream().mapToLong(our).sum())
        .as("seed %d: %s", seed, figure)
        .isEqualTo(theirs.metric().directArenas().stream().mapToLong(their).sum());
  }

  private void assertSameCounts() {
    assertSame(
        io.netty.buffer.PoolArenaMetric::numSmallAllocations,
        PoolArenaMetric::numSmallAllocations,
        "small allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numNormalAllocations,
        PoolArenaMetric::numNormalAllocations,
        "normal allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numHugeAllocations,
        PoolArenaMetric::numHugeAllocations,
        "huge allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numAllocations,
        PoolArenaMetric::numAllocations,
        "allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numSmallDeallocations,
        PoolArenaMetric::numSmallDeallocations,
        "small deallocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numNormalDeallocations,
        PoolArenaMetric::numNormalDeallocations,
        "normal deallocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numHugeDeallocations,
        PoolArenaMetric::numHugeDeallocations,
        "huge deallocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numDeallocations,
        PoolArenaMetric::numDeallocations,
        "deallocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numActiveSmallAllocations,
        PoolArenaMetric::numActiveSmallAllocations,
        "active small allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numActiveNormalAllocations,
        PoolArenaMetric::numActiveNormalAllocations,
        "active normal allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numActiveHugeAllocations,
        PoolArenaMetric::numActiveHugeAllocations,
        "active huge allocations");
    assertSame(
        io.netty.buffer.PoolArenaMetric::numActiveAllocations,
        PoolArenaMetric::numActiveAllocations,
        "active allocations");
  }

  @Test
  void theSameCallsAreCountedTheSame() {
    SplittableRandom random = new SplittableRandom(seed);
    List<io.netty.buffer.ByteBuf> theirBuffers = new ArrayList<>();
    List<ByteBuf> ourBuffers = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      if (theirBuffers.size() < 40 && random.nextBoolean()) {
        int bytes = anySize(random);
        theirBuffers.add(theirs.directBuffer(bytes));
        ourBuffers.add(ours.directBuffer(bytes));
      } else if (!theirBuffers.isEmpty()) {
        int index = random.nextInt(theirBuffers.size());
        theirBuffers.remove(index).release();
        ourBuffers.remove(index).release();
      }
      if (i % 50 == 0) {
        assertSameCounts();
      }
    }
    theirBuffers.forEach(io.netty.buffer.ByteBuf::release);
    ourBuffers.forEach(ByteBuf::release);
    assertSameCounts();
  }

  /** Returns a size, which includes both borders between the groups. */
  private static int anySize(SplittableRandom random) {
    int[] borders = {28 << 10, 32 << 10, CHUNK_BYTES};
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(1, CHUNK_BYTES);
      case 1 -> borders[random.nextInt(borders.length)] + random.nextInt(-1, 2);
      case 2 -> random.nextInt(1, 100_000);
      case 3 -> random.nextInt(20) == 0 ? CHUNK_BYTES + random.nextInt(1, 1 << 20) : 16;
      default -> random.nextInt(1, 20_000);
    };
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.NativeHeapTrim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks the C library to return memory, and when: the upkeep alone, without a lock. */
class ReturnToSystemTest {
  private static final int CHUNK = 128 << 10;
  private static final int CHUNKS = 16;
  private static final long HALF = (long) CHUNK * CHUNKS / 2;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final TestSource source = new TestSource();
  private final List<BufferPool> pools = new ArrayList<>();
  private long now;
  private int asked;
  private Runnable whileAsked = () -> {};

  private final NativeHeapTrim trim =
      new NativeHeapTrim(
          () ->
              () -> {
                asked++;
                whileAsked.run();
                return true;
              },
          () -> now);

  private BufferPool open(MemoryKind kind, long thresholdBytes) {
    BufferPool pool =
        BufferPool.builder(kind, source, new BlockBinder())
            .arenas(1)
            .pageBytes(4 << 10)
            .chunkBytes(CHUNK)
            .decayMillis(0)
            .trimNativeHeapBytes(thresholdBytes)
            .nativeHeapTrim(trim)
            .janitor(false)
            .build();
    pools.add(pool);
    return pool;
  }

  private static List<Block> allocate(BufferPool pool) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < CHUNKS; i++) {
      blocks.add((Block) pool.allocate(CHUNK));
    }
    return blocks;
  }

  private static void burst(BufferPool pool) {
    allocate(pool).forEach(Block::release);
    pool.trimCurrentThreadCache();
  }

  @AfterEach
  void nothingIsOut() {
    for (BufferPool pool : pools) {
      pool.close();
      PoolInvariants.check(pool);
    }
    assertThat(source.regions()).isZero();
  }

  @Test
  void onlyTheUpkeepAsks() {
    BufferPool pool = open(MemoryKind.DIRECT, HALF);
    burst(pool);
    assertThat(source.regions()).as("chunks that went back at once").isLessThan(CHUNKS / 2);
    pool.freeCurrentThreadCache();
    assertThat(asked).isZero();
    pool.tick();
    assertThat(asked).isOne();
    pool.tick();
    assertThat(asked).as("nothing was given back since").isOne();
  }

  @Test
  void aShortageAndTheEndDoNotAsk() {
    BufferPool pool = open(MemoryKind.DIRECT, HALF);
    List<Block> blocks = allocate(pool);
    source.limit(source.usedBytes());
    assertThatThrownBy(() -> allocate(pool)).isInstanceOf(OutOfMemoryError.class);
    blocks.forEach(Block::release);
    pool.close();
    assertThat(source.regions()).isZero();
    assertThat(asked).isZero();
  }

  @Test
  void noLockOfThePoolIsHeldMeanwhile() {
    BufferPool pool = open(MemoryKind.DIRECT, HALF);
    whileAsked =
        () -> {
          assertThat(pool.upkeep.isLocked()).isFalse();
          useFromAnotherThread(pool);
        };
    burst(pool);
    pool.tick();
    assertThat(asked).isOne();
    assertThat(trim.figures().failures()).isZero();
  }

  private static void useFromAnotherThread(BufferPool pool) {
    Worker other = new Worker();
    try {
      other.run(
          () -> {
            ((Block) pool.allocate(100)).release();
            ((Block) pool.allocate(CHUNK)).release();
            pool.freeCurrentThreadCache();
          });
      other.end();
    } catch (Exception failed) {
      throw new IllegalStateException(failed); // counted as a failure of the trim
    }
  }

  @Test
  void theHeapPoolAndAThresholdOfZeroDoNotCount() {
    BufferPool heap = open(MemoryKind.HEAP, HALF);
    BufferPool off = open(MemoryKind.DIRECT, 0);
    BufferPool direct = open(MemoryKind.DIRECT, HALF);
    burst(heap);
    burst(off);
    pools.forEach(BufferPool::tick);
    assertThat(asked).isZero();
    burst(direct);
    heap.tick();
    off.tick();
    assertThat(asked).isZero();
    direct.tick();
    assertThat(asked).isOne();
  }

  @Test
  void poolsShareOneSchedule() {
    BufferPool first = open(MemoryKind.DIRECT, 3 * HALF);
    BufferPool second = open(MemoryKind.DIRECT, 3 * HALF);
    burst(first);
    pools.forEach(BufferPool::tick);
    assertThat(asked).as("two thirds of the threshold").isZero();
    burst(second);
    pools.forEach(BufferPool::tick);
    assertThat(asked).as("two thirds by each").isOne();

    now += PAUSE_NANOS - 1;
    burst(first);
    burst(second);
    pools.forEach(BufferPool::tick);
    assertThat(asked).as("within the pause").isOne();
    now++;
    pools.forEach(BufferPool::tick);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void aNegativeThresholdIsRefused() {
    assertThatThrownBy(() -> open(MemoryKind.DIRECT, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("trimNativeHeapBytes: -1 (expected: >= 0)");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryBackoffError;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool stays correct when its memory source refuses a request. */
@Tag("A15")
class OutOfMemoryTest {
  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open();

  @ParameterizedTest
  @ValueSource(ints = {16, 1000, 28 << 10, 32 << 10, 1 << 20, 4 << 20, 6 << 20})
  void aRefusalAtAnySizeLeavesThePoolAsItWas(int bytes) {
    under.source.limit(3L * PoolUnderTest.CHUNK);
    List<Block> blocks = new ArrayList<>();
    OutOfMemoryError refused = null;
    while (refused == null) {
      try {
        blocks.add(under.allocate(pool, bytes));
      } catch (OutOfMemoryError error) {
        refused = error;
      }
    }
    assertThat(refused)
        .hasMessageContaining("used: ")
        .hasMessageContaining("limit: " + 3 * PoolUnderTest.CHUNK)
        .hasMessageContaining("cannot allocate the " + bytes + " byte(s) requested: ");
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.failedAllocations()).isOne();
    assertThat(snapshot.pinnedBytes()).isGreaterThanOrEqualTo((long) bytes * blocks.size());

    under.release(blocks.get(0));
    blocks.set(0, under.allocate(pool, bytes));
    under.release(blocks);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void beforeItFailsThePoolFreesUnusedMemory() {
    under.source.limit(2L * PoolUnderTest.CHUNK);
    under.release(under.allocate(pool, 5 << 20)); // cached: 5 MiB that a chunk cannot use
    List<Block> small = under.allocate(pool, 2048, 100);
    assertThat(pool.snapshot().hugeCachedBytes()).isZero();
    under.release(small);
    assertThat(pool.snapshot().failedAllocations()).isZero();
  }

  @Test
  void aRefusalWithoutARequestFreesNoMemory() {
    under.source.limit(8L * PoolUnderTest.CHUNK);
    under.release(under.allocate(pool, 5 << 20));
    long cached = pool.snapshot().hugeCachedBytes();
    under.source.limit(0);
    under.source.isRequested = false;
    for (int i = 1; i <= 3; i++) {
      assertThatThrownBy(() -> under.allocate(pool, 2048))
          .isInstanceOf(MemoryBackoffError.class)
          .hasMessageContaining("limit: 0");
      assertThat(pool.snapshot().failedAllocations()).isEqualTo(i);
    }
    assertThat(pool.snapshot().hugeCachedBytes()).isEqualTo(cached).isPositive();
    under.source.isRequested = true;
    under.release(under.allocate(pool, 5 << 20));
    assertThat(pool.snapshot().failedAllocations()).isEqualTo(3);
  }

  @Test
  void aBinderThatFailsLosesNoSlot() {
    BufferPool failing =
        BufferPool.builder(
                dev.cistern.memory.MemoryKind.HEAP,
                under.source,
                new SlotBinder() {
                  @Override
                  public Object bind(SlotGroup group, int index) {
                    throw new IllegalStateException("cannot bind");
                  }

                  @Override
                  public void sampled(Object bound, int requestedBytes, long weightBytes) {}
                })
            .arenas(1)
            .maintenanceThread(false)
            .build();
    for (int bytes : new int[] {100, 100_000, 5 << 20}) {
      assertThatThrownBy(() -> failing.allocate(bytes)).hasMessage("cannot bind");
      assertThat(PoolUnderTest.check(failing).pinnedBytes()).isZero();
    }
    failing.close();
    failing.tick();
    assertThat(under.source.regions()).isZero();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Figures read while threads allocate and release: seed row F2. */
@Tag("F2")
class SnapshotUnderLoadTest {
  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open(settings -> settings.arenas(2));

  @Test
  void countersOnlyGrowAndNoFigureIsNegative() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Worker thread = under.thread();
      Random random = new Random(i);
      running.add(thread.submit(() -> churn(random)));
    }
    PoolSnapshot before = pool.snapshot();
    int snapshots = 0;
    while (running.stream().anyMatch(task -> !task.isDone())) {
      PoolSnapshot now = pool.snapshot();
      snapshots++;
      for (SizeGroup group : SizeGroup.values()) {
        assertThat(now.allocations(group)).isGreaterThanOrEqualTo(before.allocations(group));
        assertThat(now.deallocations(group)).isGreaterThanOrEqualTo(before.deallocations(group));
        assertThat(now.deallocations(group)).isLessThanOrEqualTo(now.allocations(group));
      }
      assertThat(now.threadCacheRequests()).isGreaterThanOrEqualTo(before.threadCacheRequests());
      assertThat(now.threadCacheHits())
          .isBetween(before.threadCacheHits(), now.threadCacheRequests());
      assertThat(now.pinnedBytes()).isBetween(0L, now.reservedBytes());
      assertThat(now.cachedBytes()).isBetween(0L, now.reservedBytes());
      assertThat(now.pinnedBytes() + now.cachedBytes() + now.freeBytes())
          .isEqualTo(now.reservedBytes());
      before = now;
    }
    for (Future<?> task : running) {
      task.get(20, TimeUnit.SECONDS);
    }
    assertThat(snapshots).isGreaterThan(10);
    PoolSnapshot rest = PoolUnderTest.check(pool);
    assertThat(rest.pinnedBytes()).isZero();
    assertThat(rest.threadCacheHits())
        .isEqualTo(rest.threadCacheRequests() - rest.threadCacheMisses());
  }

  private void churn(Random random) {
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      if (held.size() < 100 && random.nextBoolean()) {
        held.add((Block) pool.allocate(1 << random.nextInt(16)));
      } else if (!held.isEmpty()) {
        Block block = held.remove(random.nextInt(held.size()));
        block.group.release(block.index);
      }
    }
    held.forEach(block -> block.group.release(block.index));
  }
}

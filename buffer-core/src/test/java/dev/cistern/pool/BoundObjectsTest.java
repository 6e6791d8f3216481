/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolStat;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The objects bound to slots become unreachable when the memory of the slots is freed. */
@Tag("A11")
class BoundObjectsTest {
  private static final int MIB = 1 << 20;
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int[] SIZES = {40, 300, 1024, 5000, 20_000, 40_000, 300_000, MIB, 6 * MIB};
  private static final int MAX_SLOTS_OF_SIZE = 1000;

  /** The most freed runs of a class that keep their objects. */
  private static final int KEPT_RUNS = 16;

  private final List<WeakReference<Block>> bound = new ArrayList<>();
  private final Worker thread = new Worker();
  private final BufferPool pool =
      BufferPool.builder(
              MemoryKind.DIRECT,
              new DirectMemorySource(new DirectMemoryLimit(1024L * MIB), 0, false),
              new BlockBinder())
          .arenas(1)
          .maintenanceThread(false)
          .decayMillis(1)
          .build();

  @AfterEach
  void end() throws InterruptedException {
    thread.end();
    PoolInvariants.check(pool);
    pool.close();
    pool.tick();
    assertThat(pool.snapshot().pinnedBytes()).isZero();
  }

  /** Allocates, records the objects, and releases all but every {@code oneInStays}th. */
  private List<Block> burst(int oneInStays) {
    List<Block> blocks = new ArrayList<>();
    for (int size : SIZES) {
      for (int i = 0; i < Math.min(MAX_SLOTS_OF_SIZE, Math.max(4, 4 * MIB / size)); i++) {
        Block block = (Block) pool.allocate(size);
        block.stamp(size, bound.size());
        bound.add(new WeakReference<>(block));
        blocks.add(block);
      }
    }
    List<Block> stay = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (i % oneInStays == oneInStays - 1) {
        stay.add(blocks.get(i));
      } else {
        blocks.get(i).release();
      }
    }
    return stay;
  }

  private long alive() {
    System.gc();
    return bound.stream().filter(each -> each.get() != null).count();
  }

  private void awaitAlive(long most) {
    await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isLessThanOrEqualTo(most));
  }

  private void tickUntilRevoked() {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              pool.tick();
              return pool.snapshot().get(PoolStat.THREAD_CACHES_REVOKED) > 0
                  && pool.snapshot().cachedBytes() == 0;
            });
  }

  @Test
  void noObjectIsLeftOnceAnIdleThreadsCacheIsRevoked() throws Exception {
    thread.run(() -> burst(Integer.MAX_VALUE));
    assertThat(alive()).isPositive(); // they were bound to slots that the thread cached
    tickUntilRevoked();
    awaitAlive(0);
    PoolInvariants.check(pool);
  }

  @Test
  void onlyGroupsWithSlotsInUseKeepTheirObjects() throws Exception {
    List<Block> stay = thread.call(() -> burst(700));
    tickUntilRevoked();
    Set<SlotGroup> groups = new HashSet<>();
    stay.forEach(each -> groups.add(each.group));
    long places = 0;
    for (SlotGroup group : groups) {
      places += group.slots;
    }
    assertThat(stay.size()).isGreaterThan(4);
    assertThat(places).isLessThan(bound.size() / 2);
    awaitAlive(places);
    PoolInvariants.check(pool);
    stay.forEach(Block::release);
    stay.clear();
    tickUntilRevoked();
    awaitAlive(0);
  }

  @Test
  void aTrimDropsTheObjectsOfFreedSlots() throws Exception {
    thread.run(() -> burst(Integer.MAX_VALUE));
    thread.run(pool::trimCurrentThreadCache);
    long places = 0;
    for (int i = 0; i < pool.sizeClasses.count(); i++) {
      places += pool.snapshot().sizeClassCachedSlots(i);
    }
    places += (long) KEPT_RUNS * SIZES.length;
    assertThat(places).isLessThan(bound.size() / 2);
    awaitAlive(places);
    PoolInvariants.check(pool);
  }
}

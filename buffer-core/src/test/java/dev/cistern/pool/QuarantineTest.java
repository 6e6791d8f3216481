/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots in quarantine between a release and their next use: bounded, and none is lost. */
class QuarantineTest {
  private static final int LIMIT = 1 << 20;
  private static final int HUGE = 5 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open(settings -> settings.quarantineBytes(LIMIT));

  /** Releases as a tracked buffer does: its slot no longer has the object. */
  private static void quarantine(Block block) {
    block.verify();
    block.group.releaseToQuarantine(block.index);
  }

  private Block allocate(int bytes) {
    Block block = (Block) pool.allocate(bytes);
    block.stamp(bytes, System.identityHashCode(block));
    block.group.unbind(block.index);
    return block;
  }

  private long quarantinedBytes() {
    return pool.quarantine.bytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 1000, 28 << 10, 1 << 20})
  void aSlotInQuarantineIsNotAllocatedAndCountsAsInUse(int bytes) {
    Block first = allocate(bytes);
    int slotBytes = first.slotBytes();
    quarantine(first);
    assertThat(quarantinedBytes()).isEqualTo(slotBytes);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isEqualTo(slotBytes);
    List<Block> others = under.allocate(pool, bytes, 20);
    assertThat(others).noneMatch(block -> block.group == first.group && block.index == first.index);
    pool.quarantine.release(0);
    assertThat(quarantinedBytes()).isZero();
    under.release(others);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void theQuarantineIsBoundedInBytesAndFirstInFirstOut() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      blocks.add(allocate(64 << 10));
    }
    for (Block block : blocks) {
      quarantine(block);
      assertThat(quarantinedBytes()).isLessThanOrEqualTo(LIMIT);
    }
    int quarantined = LIMIT / blocks.get(0).slotBytes();
    assertThat(quarantinedBytes()).isEqualTo((long) quarantined * blocks.get(0).slotBytes());
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isEqualTo(quarantinedBytes());
    List<Block> again = under.allocate(pool, 64 << 10, blocks.size() - quarantined);
    List<Block> last = blocks.subList(blocks.size() - quarantined, blocks.size());
    assertThat(again).noneMatch(a -> last.stream().anyMatch(b -> isSameSlot(a, b)));
    under.release(again);
  }

  private static boolean isSameSlot(Block one, Block other) {
    return one.group == other.group && one.index == other.index;
  }

  @Test
  void theQuarantineIsBoundedInSlots() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      blocks.add(allocate(16));
    }
    blocks.forEach(QuarantineTest::quarantine);
    assertThat(quarantinedBytes()).isEqualTo(4_096L * 16);
    pool.quarantine.release(0);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void aSlotLargerThanTheQuarantineIsReleasedAtOnce() {
    quarantine(allocate(HUGE));
    assertThat(quarantinedBytes()).isZero();
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void aQuarantineOfZeroBytesKeepsNothing() {
    BufferPool none = under.open(settings -> settings.quarantineBytes(0));
    Block block = (Block) none.allocate(100);
    block.group.releaseToQuarantine(block.index);
    assertThat(PoolUnderTest.check(none).pinnedBytes()).isZero();
  }

  @Test
  void aSlotLeavesTheQuarantineOnlyAfterItsTime() {
    quarantine(allocate(1000));
    long slotBytes = quarantinedBytes();
    pool.tick();
    assertThat(quarantinedBytes()).as("it stays for seconds").isEqualTo(slotBytes);
    pool.quarantine.release(1);
    assertThat(quarantinedBytes()).as("it is older than a nanosecond").isZero();
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void theQuarantineIsEmptiedBeforeAnAllocationFails() {
    under.source.limit(PoolUnderTest.CHUNK);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocks.add(allocate(1 << 20));
    }
    quarantine(blocks.get(0));
    assertThat(quarantinedBytes()).isEqualTo(1 << 20);
    Block served = under.allocate(pool, 1 << 20);
    assertThat(quarantinedBytes()).isZero();
    under.release(served);
    blocks.subList(1, 4).forEach(QuarantineTest::quarantine);
  }

  @Test
  void aClosedPoolHasNoQuarantine() {
    Block early = allocate(1000);
    Block late = allocate(1000);
    quarantine(early);
    pool.close();
    assertThat(quarantinedBytes()).isZero();
    quarantine(late);
    assertThat(quarantinedBytes()).as("no later call would release it").isZero();
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void eachTimeTheObjectIsAnother() {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 3_000; i++) {
      Block block = allocate(4 << 10);
      assertThat(seen.add(block)).isTrue();
      quarantine(block);
    }
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isEqualTo(quarantinedBytes());
  }

  @Test
  void releasesByManyThreadsLoseNothing() throws InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("cistern.seed=" + seed);
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 4; t++) {
      SplittableRandom random = new SplittableRandom(seed + t);
      Thread thread = new Thread(() -> churn(random));
      thread.setUncaughtExceptionHandler((ended, failure) -> failures.add(failure));
      thread.start();
      threads.add(thread);
    }
    while (threads.stream().anyMatch(Thread::isAlive)) {
      pool.tick();
      pool.quarantine.release(random(seed));
      assertThat(quarantinedBytes()).as("cistern.seed=%s", seed).isLessThanOrEqualTo(LIMIT + HUGE);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).as("cistern.seed=%s", seed).isEmpty();
    pool.quarantine.release(0);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).as("cistern.seed=%s", seed).isZero();
  }

  private static long random(long seed) {
    return new SplittableRandom(seed ^ System.nanoTime()).nextInt(1_000_000);
  }

  private void churn(SplittableRandom random) {
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (held.isEmpty() || (held.size() < 30 && random.nextBoolean())) {
        held.add(allocate(1 + random.nextInt(1 << random.nextInt(4, 18))));
      } else {
        quarantine(Block.takeAny(held, random));
      }
    }
    held.forEach(QuarantineTest::quarantine);
  }
}

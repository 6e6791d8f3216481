/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stress test's model detects the errors that it must detect. */
class OwnershipModelTest {
  private static final int CLASSES = 4;
  private static final int BYTES = 64;

  private final OwnershipModel model = new OwnershipModel(CLASSES);
  private final WatchedSource source = new WatchedSource(new HeapMemorySource());
  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
          .arenas(1)
          .maintenanceThread(false)
          .build();
  private final OwnershipModel ofPool = new OwnershipModel(pool.sizeClasses.count());

  private Block allocateKnown() {
    Block block = (Block) pool.allocate(BYTES);
    ofPool.enter(source.start(block), block.slotBytes(), pool.sizeClasses.of(BYTES), BYTES);
    return block;
  }

  private void releaseKnown(Block block) {
    ofPool.leave(source.start(block));
    block.group.release(block.index);
  }

  @ParameterizedTest
  @CsvSource({"100, 50", "100, 10", "120, 10", "149, 1", "149, 100", "90, 11", "90, 100"})
  void anOverlapIsNoticed(long start, int bytes) {
    model.enter(0, 50, 0, 50);
    model.enter(100, 50, 0, 50);
    model.enter(200, 50, 0, 50);
    assertThatThrownBy(() -> model.enter(start, bytes, 0, bytes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("overlap");
  }

  @Test
  void neighboursDoNotOverlap() {
    model.enter(100, 50, 0, 50);
    model.enter(150, 50, 0, 50);
    model.enter(50, 50, 0, 50);
    model.leave(100);
    model.enter(100, 50, OwnershipModel.HUGE, 1);
  }

  @Test
  void aReleaseOfAFreeSlotIsDetected() {
    model.enter(100, 50, 0, 50);
    assertThatThrownBy(() -> model.leave(120)).hasMessageContaining("not in use");
    model.leave(100);
    assertThatThrownBy(() -> model.leave(100)).hasMessageContaining("not in use");
  }

  @ParameterizedTest
  @CsvSource({"0, 101", "100, 50", "120, 10", "149, 400"})
  void aRegionFreedWhileInUseIsDetected(long start, long bytes) {
    model.enter(100, 50, 0, 50);
    model.freeRegion(0, 100);
    model.freeRegion(150, 100);
    assertThatThrownBy(() -> model.freeRegion(start, bytes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("while in use");
  }

  @Test
  void aCorrectPoolPasses() {
    Block first = allocateKnown();
    allocateKnown();
    ofPool.check(pool.snapshot());
    releaseKnown(first);
    ofPool.check(pool.snapshot());
  }

  @Test
  void aSlotHandedOutTwiceIsNoticed() {
    Block block = allocateKnown();
    allocateKnown();
    releaseKnown(block);
    block.group.release(block.index); // as in a broken pool: the slot is free twice
    allocateKnown();
    assertThatThrownBy(this::allocateKnown).hasMessageContaining("overlap");
  }

  @Test
  void overwrittenBytesAreDetected() {
    Block block = allocateKnown();
    block.stamp(BYTES, 1);
    Block same = new Block(block.group, block.index);
    same.stamp(BYTES, 2);
    same.verify();
    assertThatThrownBy(block::verify).hasMessageContaining("was overwritten");
  }

  @Test
  void aLostSlotIsNoticed() {
    Block block = allocateKnown();
    pool.allocate(BYTES); // no code refers to it, and no code will release it
    releaseKnown(block);
    assertThatThrownBy(() -> ofPool.check(pool.snapshot()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("allocations of 64 bytes: pool 2, model 1");
    Block lost = allocateKnown();
    ofPool.leave(source.start(lost)); // released, but the pool did not get it
    assertThatThrownBy(() -> ofPool.check(pool.snapshot())).isInstanceOf(AssertionError.class);
  }

  @Test
  void aReleaseThatIsNotCountedIsNoticed() {
    Block block = allocateKnown();
    ofPool.leave(source.start(block));
    assertThatThrownBy(() -> ofPool.check(pool.snapshot()))
        .hasMessageContaining("releases of 64 bytes: pool 0, model 1");
  }

  @Test
  void aWrongCountIsNoticed() {
    Block block = allocateKnown();
    block.group.bin.counters.countBytes(1);
    assertThatThrownBy(() -> ofPool.check(pool.snapshot()))
        .hasMessageContaining("requested bytes: pool 65, model 64");
    block.group.bin.counters.countBytes(-1);
    ofPool.check(pool.snapshot());
    block.group.bin.counters.misses++;
    block.group.bin.counters.countAllocation();
    assertThatThrownBy(() -> ofPool.check(pool.snapshot())).hasMessageContaining("allocations");
    block.group.bin.counters.tally -= BinCounters.ONE_ALLOCATION;
    ofPool.refused();
    assertThatThrownBy(() -> ofPool.check(pool.snapshot()))
        .hasMessageContaining("failed allocations: pool 0, model 1");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryWay;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Tests of the positions and the meaning of the values in a snapshot. */
class PoolSnapshotTest {
  private static final PoolLayout SHAPE =
      new PoolLayout("direct", 8192, 4 << 20, 2, 3, new int[] {16, 32, 32768});

  @Test
  void everyFigureHasAPlaceOfItsOwn() {
    BitSet places = new BitSet();
    for (PoolStat figure : PoolStat.values()) {
      places.set(SHAPE.index(figure));
    }
    for (ArenaStat figure : ArenaStat.values()) {
      for (int arena = 0; arena < SHAPE.arenas(); arena++) {
        places.set(SHAPE.index(figure, arena));
      }
    }
    for (SizeClassStat figure : SizeClassStat.values()) {
      for (int sizeClass = 0; sizeClass < SHAPE.sizeClasses(); sizeClass++) {
        places.set(SHAPE.index(figure, sizeClass));
      }
    }
    assertThat(places.cardinality()).isEqualTo(SHAPE.values());
    assertThat(places.length()).isEqualTo(SHAPE.values());
  }

  @Test
  void refusesValuesThatDoNotFitTheShape() {
    assertThatThrownBy(() -> new PoolSnapshot(SHAPE, new long[7]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7")
        .hasMessageContaining(String.valueOf(SHAPE.values()));
  }

  @Test
  void theWayOfAllocationHasAName() {
    long[] values = new long[SHAPE.values()];
    values[SHAPE.index(PoolStat.MEMORY_WAY)] = MemoryWay.MALLOC.ordinal();
    assertThat(new PoolSnapshot(SHAPE, values).memoryWay()).isEqualTo("malloc");
  }

  @Test
  void aFigureThatAnEarlierVersionDidNotWriteIsUnknown() {
    for (PoolStat figure : PoolStat.values()) {
      boolean isNew = figure == PoolStat.RESIDENT_BYTES || figure == PoolStat.MEMORY_WAY;
      assertThat(figure.missing()).as(figure.name()).isEqualTo(isNew ? PoolStat.UNKNOWN : 0);
    }
    long[] values = new long[SHAPE.values()];
    values[SHAPE.index(PoolStat.MEMORY_WAY)] = PoolStat.UNKNOWN;
    assertThat(new PoolSnapshot(SHAPE, values).memoryWay()).isNull();
    values[SHAPE.index(PoolStat.MEMORY_WAY)] = MemoryWay.values().length;
    assertThat(new PoolSnapshot(SHAPE, values).memoryWay()).isNull();
  }

  @Test
  void freeIsNeverNegative() {
    long[] values = new long[SHAPE.values()];
    values[SHAPE.index(PoolStat.RESERVED_BYTES)] = 10;
    values[SHAPE.index(PoolStat.PINNED_BYTES)] = 30;
    assertThat(new PoolSnapshot(SHAPE, values).freeBytes()).isZero();
  }
}

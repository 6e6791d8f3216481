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
  private static final PoolLayout LAYOUT =
      new PoolLayout("direct", 8192, 4 << 20, 2, 3, new int[] {16, 32, 32768});

  @Test
  void everyStatHasAPlaceOfItsOwn() {
    BitSet places = new BitSet();
    for (PoolStat stat : PoolStat.values()) {
      places.set(LAYOUT.index(stat));
    }
    for (ArenaStat stat : ArenaStat.values()) {
      for (int arena = 0; arena < LAYOUT.arenas(); arena++) {
        places.set(LAYOUT.index(stat, arena));
      }
    }
    for (SizeClassStat stat : SizeClassStat.values()) {
      for (int sizeClass = 0; sizeClass < LAYOUT.sizeClasses(); sizeClass++) {
        places.set(LAYOUT.index(stat, sizeClass));
      }
    }
    assertThat(places.cardinality()).isEqualTo(LAYOUT.values());
    assertThat(places.length()).isEqualTo(LAYOUT.values());
  }

  @Test
  void refusesValuesThatDoNotFitTheLayout() {
    assertThatThrownBy(() -> new PoolSnapshot(LAYOUT, new long[7]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7")
        .hasMessageContaining(String.valueOf(LAYOUT.values()));
  }

  @Test
  void theWayOfAllocationHasAName() {
    long[] values = new long[LAYOUT.values()];
    values[LAYOUT.index(PoolStat.MEMORY_WAY)] = MemoryWay.MALLOC.ordinal();
    assertThat(new PoolSnapshot(LAYOUT, values).memoryWay()).isEqualTo("malloc");
  }

  @Test
  void aStatThatAnEarlierVersionDidNotWriteIsUnknown() {
    for (PoolStat stat : PoolStat.values()) {
      boolean isNew = stat == PoolStat.RESIDENT_BYTES || stat == PoolStat.MEMORY_WAY;
      assertThat(stat.missing()).as(stat.name()).isEqualTo(isNew ? PoolStat.UNKNOWN : 0);
    }
    long[] values = new long[LAYOUT.values()];
    values[LAYOUT.index(PoolStat.MEMORY_WAY)] = PoolStat.UNKNOWN;
    assertThat(new PoolSnapshot(LAYOUT, values).memoryWay()).isNull();
    values[LAYOUT.index(PoolStat.MEMORY_WAY)] = MemoryWay.values().length;
    assertThat(new PoolSnapshot(LAYOUT, values).memoryWay()).isNull();
  }

  @Test
  void freeIsNeverNegative() {
    long[] values = new long[LAYOUT.values()];
    values[LAYOUT.index(PoolStat.RESERVED_BYTES)] = 10;
    values[LAYOUT.index(PoolStat.PINNED_BYTES)] = 30;
    assertThat(new PoolSnapshot(LAYOUT, values).freeBytes()).isZero();
  }
}

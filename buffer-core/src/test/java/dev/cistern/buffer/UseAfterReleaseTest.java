/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that, at the paranoid level, a use after release fails however late it is, because the slot
 * is reused with another object.
 */
@Tag("E1")
class UseAfterReleaseTest {
  private static final int LATER_ALLOCATIONS = 3_000;

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true, 1, 1, 8192, 7);
  private Level levelBefore;

  @BeforeEach
  void watchAll() {
    levelBefore = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(Level.PARANOID);
  }

  @AfterEach
  void restore() {
    ResourceLeakDetector.setLevel(levelBefore);
  }

  private ByteBuf buffer(boolean direct, int bytes) {
    return direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  @ParameterizedTest
  @CsvSource({"true, 64", "false, 64", "true, 4096", "false, 40000", "true, 2000000"})
  void itAlwaysThrows(boolean direct, int bytes) {
    ByteBuf released = buffer(direct, bytes);
    ByteBuf slice = released.slice(0, 8);
    ByteBuf below = released.unwrap();
    released.release();
    for (int i = 0; i < LATER_ALLOCATIONS; i++) {
      ByteBuf later = buffer(direct, bytes).writeInt(i);
      for (ByteBuf dead : List.of(released, slice, below)) {
        if (dead.refCnt() != 0) {
          throw new AssertionError("alive again after " + i + ": " + dead);
        }
        assertThatThrownBy(() -> dead.getInt(0)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> dead.setInt(0, 1))
            .isInstanceOf(IllegalReferenceCountException.class);
      }
      assertThat(later.getInt(0)).isEqualTo(i);
      later.release();
    }
    assertThatThrownBy(released::release).isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void theObjectIsAnotherEachTime() {
    Set<ByteBuf> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < LATER_ALLOCATIONS; i++) {
      ByteBuf buffer = allocator.directBuffer(64);
      assertThat(seen.add(buffer)).isTrue();
      assertThat(seen.add(buffer.unwrap())).isTrue();
      buffer.release();
    }
  }

  @Test
  void aBufferThatMovedThrowsTooAndItsOldMemoryIsNotItsOwn() {
    ByteBuf moved = allocator.directBuffer(64).writeInt(1);
    moved.capacity(100_000);
    List<ByteBuf> others = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      others.add(allocator.directBuffer(64).writeInt(-1));
    }
    assertThat(moved.getInt(0)).isEqualTo(1);
    moved.setInt(0, 7);
    assertThat(others).allMatch(other -> other.getInt(0) == -1);
    moved.release();
    others.forEach(ByteBuf::release);
    ByteBuf later = allocator.directBuffer(100_000);
    assertThatThrownBy(() -> moved.getInt(0)).isInstanceOf(IllegalReferenceCountException.class);
    later.release();
  }

  @Test
  void noBufferIsLostIfTheLevelWasLoweredMeanwhile() {
    ByteBuf atParanoid = allocator.directBuffer(4096);
    ResourceLeakDetector.setLevel(Level.DISABLED);
    atParanoid.release();
    ResourceLeakDetector.setLevel(Level.PARANOID);
    ByteBuf again = allocator.directBuffer(4096);
    ResourceLeakDetector.setLevel(Level.SIMPLE);
    again.release();
    assertThat(allocator.pool(true).snapshot().pinnedBytes()).isZero();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of growth and shrinking: bytes stay, indices stay within the capacity, and limits hold. */
@Tag("B1")
@Tag("A11")
@Tag("A14")
class CapacityTest {
  private static void fill(ByteBuf buffer, int bytes) {
    for (int i = 0; i < bytes; i++) {
      buffer.writeByte(i * 7);
    }
  }

  private static void check(ByteBuf buffer, int bytes) {
    for (int i = 0; i < bytes; i++) {
      assertThat(buffer.getByte(i)).as("byte %s", i).isEqualTo((byte) (i * 7));
    }
  }

  @EveryGrowingKind
  void keepsItsBytesWhileItGrowsThroughEverySizeGroup(BufferKind kind) {
    ByteBuf buffer = kind.buffer(1);
    int bytes = 100_000;
    fill(buffer, bytes);
    buffer.capacity(300_000);
    buffer.capacity(3 << 20); // larger than a chunk of the test's pools
    check(buffer, bytes);
    assertThat(buffer.readableBytes()).isEqualTo(bytes);
    assertThat(buffer.capacity()).isEqualTo(3 << 20);
    buffer.release();
  }

  @EveryGrowingKind
  @Tag("needs-checks")
  void keepsItsFirstBytesAndTrimsItsIndicesWhenItShrinks(BufferKind kind) {
    ByteBuf buffer = kind.buffer(100_000);
    fill(buffer, 60_000);
    buffer.readerIndex(50_000);
    buffer.capacity(1000);
    check(buffer, 1000);
    assertThat(buffer.readerIndex()).isEqualTo(1000);
    assertThat(buffer.writerIndex()).isEqualTo(1000);
    assertThatThrownBy(() -> buffer.getByte(1000)).isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @ParameterizedTest
  @EnumSource(names = {"POOLED_DIRECT", "POOLED_HEAP"})
  @ExtendWith(PoolCheck.class)
  void freesMemoryWhenItShrinksFar(BufferKind kind) {
    ByteBuf buffer = kind.buffer(100_000);
    buffer.capacity(1000);
    assertThat(TestAllocators.POOLED.pool(kind.is(Trait.DIRECT)).snapshot().pinnedBytes())
        .isBetween(1000L, 2048L);
    buffer.release();
  }

  @EveryKind(without = {Trait.FIXED, Trait.VIEW, Trait.LITTLE_ENDIAN})
  @Tag("needs-checks")
  void aViewFollowsChangesOfItsRoot(BufferKind kind) {
    ByteBuf root = kind.buffer(64);
    ByteBuf slice = root.slice(8, 16);
    ByteBuf duplicate = root.duplicate();
    slice.setLong(0, 42);
    root.capacity(1 << 20);
    assertThat(slice.getLong(0)).isEqualTo(42);
    slice.setLong(0, 43);
    assertThat(root.getLong(8)).isEqualTo(43);
    assertThat(duplicate.capacity()).isEqualTo(1 << 20);
    root.capacity(12);
    assertThatThrownBy(() -> slice.getLong(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(slice.getInt(0)).isZero();
    assertThatThrownBy(slice::readLong).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.clear().writeLong(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    root.release();
  }

  @EveryKind(without = {Trait.FIXED, Trait.UNLIMITED})
  @Tag("needs-checks")
  void refusesToPassItsMaximum(BufferKind kind) {
    ByteBuf buffer = kind.buffer(8, 100);
    buffer.writeZero(97);
    assertThatThrownBy(() -> buffer.writeInt(1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContainingAll("writerIndex(97)", "length(4)", "maxCapacity(100)");
    assertThat(buffer.writerIndex()).isEqualTo(97);
    assertThatThrownBy(() -> buffer.capacity(101))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("101", "100");
    assertThatThrownBy(() -> buffer.capacity(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buffer.ensureWritable(Integer.MAX_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @EveryKind(without = {Trait.FIXED, Trait.UNLIMITED})
  void ensureWritableReturnsItsOutcome(BufferKind kind) {
    ByteBuf buffer = kind.buffer(8, 100);
    assertThat(buffer.ensureWritable(8, false)).isZero();
    assertThat(buffer.ensureWritable(101, false)).isEqualTo(1);
    assertThat(buffer.ensureWritable(40, false)).isEqualTo(2);
    assertThat(buffer.ensureWritable(101, true)).isEqualTo(3);
    assertThat(buffer.capacity()).isEqualTo(100);
    assertThat(buffer.ensureWritable(101, true)).isEqualTo(1);
    buffer.release();
  }

  @EverySliceKind
  @Tag("needs-checks")
  void aSliceDoesNotGrow(BufferKind kind) {
    ByteBuf slice = kind.buffer(16);
    slice.writeZero(16);
    assertThatThrownBy(() -> slice.writeByte(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.capacity(17)).isInstanceOf(UnsupportedOperationException.class);
    slice.release();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a composite: ownership of its components, its search for bytes, and its empty state. */
@ExtendWith(PoolCheck.class)
class CompositeByteBufTest {
  private static final ByteBufAllocator POOLED = TestAllocators.POOLED;

  private static CompositeByteBuf composite(int maxNumComponents) {
    return new CompositeByteBuf(POOLED, true, maxNumComponents);
  }

  private static ByteBuf direct(int... bytes) {
    ByteBuf buffer = POOLED.directBuffer(Math.max(1, bytes.length));
    for (int value : bytes) {
      buffer.writeByte(value);
    }
    return buffer;
  }

  private static ByteBuf heap(int... bytes) {
    ByteBuf buffer = POOLED.heapBuffer(Math.max(1, bytes.length));
    for (int value : bytes) {
      buffer.writeByte(value);
    }
    return buffer;
  }

  @Test
  @Tag("C3")
  void releasesItsComponentsEmptyOnesIncluded() {
    ByteBuf[] given = {direct(1, 2), direct(), heap(3), heap()};
    CompositeByteBuf composite = composite(16).addComponents(true, given);
    assertThat(composite.numComponents()).isEqualTo(4);
    assertThat(composite.toString()).endsWith("components=4)");
    composite.release();
    assertThat(given).extracting(ByteBuf::refCnt).containsOnly(0);
  }

  @Test
  @Tag("C3")
  void releasesTheArgumentsOfAFailingCall() {
    CompositeByteBuf composite = composite(16);
    ByteBuf single = direct(1);
    assertThatThrownBy(() -> composite.addComponent(1, single))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("cIndex: 1");
    ByteBuf[] array = {direct(1), direct(), direct(2)};
    assertThatThrownBy(() -> composite.addComponents(-1, array))
        .isInstanceOf(IndexOutOfBoundsException.class);
    List<ByteBuf> list = List.of(direct(1), direct(), direct(2));
    assertThatThrownBy(() -> composite.addComponents(2, list))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ByteBuf released = direct(1);
    ByteBuf after = direct(2);
    released.release();
    assertThatThrownBy(() -> composite.addComponents(true, released, after))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(composite.numComponents()).isZero();
    composite.release();
    ByteBuf tooLate = direct(3);
    assertThatThrownBy(() -> composite.addComponent(true, tooLate))
        .isInstanceOf(IllegalReferenceCountException.class);
    ByteBuf flattened = composite(4).addComponents(true, direct(1), direct(2));
    assertThatThrownBy(() -> composite.addFlattenedComponents(true, flattened))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(List.of(single, after, tooLate, flattened))
        .extracting(ByteBuf::refCnt)
        .containsOnly(0);
    assertThat(array).extracting(ByteBuf::refCnt).containsOnly(0);
    assertThat(list).extracting(ByteBuf::refCnt).containsOnly(0);
  }

  @Test
  @Tag("C3")
  void releasesTheBuffersAfterANull() {
    CompositeByteBuf composite = composite(16);
    ByteBuf first = direct(1);
    ByteBuf behind = direct(2);
    composite.addComponents(true, first, null, behind);
    assertThat(composite.numComponents()).isOne();
    assertThat(behind.refCnt()).isZero();
    composite.release();
    assertThat(first.refCnt()).isZero();
  }

  @Test
  @Tag("C3")
  void refusesMoreThanAnIntCanCount() {
    ByteBuf big = TestAllocators.UNPOOLED.heapBuffer(1 << 20).writeZero(1 << 20);
    CompositeByteBuf full = composite(4096);
    for (int i = 0; i < 2047; i++) {
      full.addComponent(true, big.retainedDuplicate());
    }
    int count = big.refCnt();
    assertThatThrownBy(() -> full.addComponent(true, big.retainedDuplicate()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("component of 1048576");
    assertThat(big.refCnt()).isEqualTo(count);
    assertThat(full.numComponents()).isEqualTo(2047);
    full.release();
    big.release();
  }

  @Test
  @Tag("C3")
  void releasesAllOfThemAlthoughOneIsReleasedAlready() {
    ByteBuf first = direct(1);
    ByteBuf second = direct(2);
    ByteBuf third = direct(3);
    CompositeByteBuf composite = composite(16).addComponents(true, first, second, third);
    second.release();
    assertThatThrownBy(() -> composite.getByte(1))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(composite::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(List.of(first, third)).extracting(ByteBuf::refCnt).containsOnly(0);
  }

  @Test
  @Tag("C3")
  void aComponentThatShrinksElsewhereIsOutOfBounds() {
    ByteBuf shared = direct(1, 2, 3, 4, 5, 6, 7, 8);
    CompositeByteBuf composite = composite(16).addComponents(true, shared, direct(9));
    assertThat(composite.getLong(0)).isEqualTo(0x0102030405060708L);
    shared.capacity(4);
    assertThat(composite.getInt(0)).isEqualTo(0x01020304);
    assertThatThrownBy(() -> composite.getLong(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> composite.getBytes(0, new byte[9]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    composite.release();
  }

  @Test
  @Tag("C3")
  void aComponentIsNeverShownAsOtherBytesOfItsBuffer() {
    ByteBuf shared = direct(1, 2, 3, 4, 5, 6, 7, 8).setIndex(2, 6);
    CompositeByteBuf composite = composite(16).addComponent(true, shared);
    assertThat(composite.internalComponent(0).getInt(0)).isEqualTo(0x03040506);
    shared.capacity(4);
    assertThatThrownBy(() -> composite.internalComponent(0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> composite.iterator().next())
        .isInstanceOf(IndexOutOfBoundsException.class);
    composite.release();
  }

  @Test
  @Tag("C3")
  @Tag("B4")
  void aReleasedOneHasNeitherArrayNorAddress() {
    ByteBuf heap = Unpooled.buffer(1).writeByte(1);
    for (CompositeByteBuf composite :
        List.of(
            composite(4),
            composite(4).addComponent(heap),
            composite(4).addComponent(direct(1)),
            composite(4).addComponents(direct(1), direct(2)))) {
      composite.release();
      assertThatThrownBy(composite::array).isInstanceOf(IllegalReferenceCountException.class);
      assertThatThrownBy(composite::arrayOffset).isInstanceOf(IllegalReferenceCountException.class);
      assertThatThrownBy(composite::memoryAddress)
          .isInstanceOf(IllegalReferenceCountException.class);
    }
  }

  @Test
  @Tag("C3")
  void isRightWhenItIsEmpty() {
    CompositeByteBuf composite = composite(16);
    assertThat(composite.capacity()).isZero();
    assertThat(composite.isDirect()).isFalse();
    assertThat(composite.hasArray()).isTrue();
    assertThat(composite.array()).isEmpty();
    assertThat(composite.arrayOffset()).isZero();
    assertThat(composite.hasMemoryAddress()).isTrue();
    assertThat(composite.memoryAddress()).isNotZero();
    assertThat(composite.nioBufferCount()).isOne();
    assertThat(composite.nioBuffer().remaining()).isZero();
    assertThat(composite.internalNioBuffer(0, 0).remaining()).isZero();
    assertThat(composite.nioBuffers()).hasSize(1);
    assertThat(composite.iterator().hasNext()).isFalse();
    assertThat(composite.decompose(0, 0)).isEmpty();
    assertThat(composite.indexOf(0, 0, (byte) 0)).isEqualTo(-1);
    assertThat(composite.forEachByte(value -> true)).isEqualTo(-1);
    assertThat(composite.forEachByteDesc(value -> true)).isEqualTo(-1);
    assertThat(composite.consolidate().discardReadBytes().numComponents()).isZero();
    assertThatThrownBy(() -> composite.getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> composite.toComponentIndex(0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ByteBuf copy = composite.copy();
    assertThat(copy.capacity()).isZero();
    copy.release();
    composite.release();
    assertThatThrownBy(() -> composite.getByte(0))
        .isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  @Tag("C3")
  void noBytesAreOneEmptyNioBuffer() {
    CompositeByteBuf composite = composite(16).addComponents(true, direct(1, 2), heap(3), direct());
    ByteBuffer[] none = composite.nioBuffers(1, 0);
    assertThat(none).hasSize(1);
    assertThat(none[0].remaining()).isZero();
    assertThat(composite.nioBuffers()).hasSize(2);
    composite.release();
  }

  @Test
  @Tag("C3")
  void iteratesWithoutACopy() {
    CompositeByteBuf composite = composite(16).addComponents(true, direct(1, 2), heap(3));
    Iterator<ByteBuf> components = composite.iterator();
    ByteBuf first = components.next();
    first.setByte(1, 7);
    assertThat(composite.getByte(1)).isEqualTo((byte) 7);
    assertThat(components.next().getByte(0)).isEqualTo((byte) 3);
    assertThat(components.hasNext()).isFalse();
    assertThatThrownBy(components::next).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(components::remove).isInstanceOf(UnsupportedOperationException.class);
    Iterator<ByteBuf> late = composite.iterator();
    composite.removeComponent(0);
    assertThatThrownBy(late::next).isInstanceOf(ConcurrentModificationException.class);
    composite.release();
    assertThatThrownBy(composite::iterator).isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  @Tag("C3")
  void copiesAllIntoOneIfThereAreTooMany() {
    ByteBuf[] given = {direct(1), direct(2), direct(3)};
    CompositeByteBuf composite = composite(2).addComponents(true, given);
    assertThat(composite.numComponents()).isOne();
    assertThat(given).extracting(ByteBuf::refCnt).containsOnly(0);
    assertThat(composite.readMedium()).isEqualTo(0x010203);
    composite.release();
  }

  /**
   * Tests composites of any number of components, because a composite with many searches them in
   * blocks.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 17, 1000})
  @Tag("C3")
  void findsEveryByteInEveryWidth(int components) {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    Random random = new Random(seed);
    CompositeByteBuf composite = composite(components);
    ByteBuf plain = POOLED.directBuffer();
    for (int i = 0; i < components; i++) {
      byte[] bytes = new byte[random.nextInt(random.nextInt(9) == 0 ? 400 : 9)];
      random.nextBytes(bytes);
      composite.addComponent(true, POOLED.heapBuffer(Math.max(1, bytes.length)).writeBytes(bytes));
      plain.writeBytes(bytes);
    }
    byte[] end = new byte[8];
    composite.capacity(composite.capacity() + 8).writeBytes(end);
    plain.writeBytes(end);
    int bytes = plain.writerIndex();
    assertThat(composite.equals(plain)).as("cistern.seed=%s", seed).isTrue();
    for (int i = 0; i < bytes * 2; i++) {
      int index = random.nextInt(bytes - 7);
      String where = "cistern.seed=" + seed + ", index " + index;
      assertThat(composite.getByte(index)).as(where).isEqualTo(plain.getByte(index));
      assertThat(composite.getShortLE(index)).as(where).isEqualTo(plain.getShortLE(index));
      assertThat(composite.getMedium(index)).as(where).isEqualTo(plain.getMedium(index));
      assertThat(composite.getMediumLE(index)).as(where).isEqualTo(plain.getMediumLE(index));
      assertThat(composite.getIntLE(index)).as(where).isEqualTo(plain.getIntLE(index));
      assertThat(composite.getLong(index)).as(where).isEqualTo(plain.getLong(index));
      byte wanted = plain.getByte(random.nextInt(bytes));
      assertThat(composite.indexOf(index, bytes, wanted))
          .as(where)
          .isEqualTo(plain.indexOf(index, bytes, wanted));
      assertThat(composite.indexOf(index, 0, wanted))
          .as(where)
          .isEqualTo(plain.indexOf(index, 0, wanted));
      long value = random.nextLong();
      composite.setLongLE(index, value).setMedium(index + 1, (int) value);
      plain.setLongLE(index, value).setMedium(index + 1, (int) value);
    }
    assertThat(composite.equals(plain)).as("cistern.seed=%s", seed).isTrue();
    composite.release();
    plain.release();
  }

  @Test
  @Tag("C3")
  void copiesWithinItselfAsIfItWereOnePiece() {
    CompositeByteBuf composite =
        composite(16).addComponents(true, direct(1, 2, 3), heap(4, 5), direct(6, 7, 8));
    composite.setBytes(2, composite, 0, 6);
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(1, 2, 1, 2, 3, 4, 5, 6);
    composite.setBytes(0, composite.slice(2, 6), 0, 6);
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(1, 2, 3, 4, 5, 6, 5, 6);
    composite.release();
  }

  @Test
  @Tag("C3")
  void refusesToWriteToAReadOnlyComponent() {
    CompositeByteBuf composite =
        composite(16).addComponents(true, direct(1, 2, 3, 4).asReadOnly(), direct(5, 6));
    assertThat(composite.getInt(2)).isEqualTo(0x03040506);
    assertThatThrownBy(() -> composite.setByte(0, 1))
        .isInstanceOf(java.nio.ReadOnlyBufferException.class);
    assertThatThrownBy(() -> composite.setBytes(0, new byte[2]))
        .isInstanceOf(java.nio.ReadOnlyBufferException.class);
    composite.setByte(4, 9);
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(1, 2, 3, 4, 9, 6);
    composite.release();
  }

  @Test
  @Tag("C3")
  void growsByAComponentAndShrinksByReleasingComponents() {
    ByteBuf last = direct(4, 5, 6);
    CompositeByteBuf composite = composite(16).addComponents(true, direct(1, 2, 3), last);
    composite.capacity(4);
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(1, 2, 3, 4);
    composite.capacity(3);
    assertThat(last.refCnt()).isZero();
    composite.writeInt(0x07080900);
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(1, 2, 3, 7, 8, 9, 0);
    assertThat(composite.getInt(0)).isEqualTo(0x01020307);
    composite.release();
  }

  @Test
  @Tag("C3")
  void channelsAndNioBuffersSeeAllComponents() throws Exception {
    CompositeByteBuf composite = composite(16).addComponents(true, direct(1, 2, 3), heap(4, 5));
    ByteBuffer target = ByteBuffer.allocateDirect(5);
    composite.getBytes(0, target);
    composite.setBytes(1, ByteBuffer.wrap(new byte[] {7, 8, 9}).asReadOnlyBuffer());
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(1, 7, 8, 9, 5);
    byte[] seen = new byte[5];
    target.flip().get(seen);
    assertThat(seen).containsExactly(1, 2, 3, 4, 5);
    assertThat(composite.nioBuffer().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    composite.getBytes(1, out, 3);
    assertThat(out.toByteArray()).containsExactly(7, 8, 9);
    assertThat(composite.setBytes(0, new java.io.ByteArrayInputStream(new byte[] {6, 6, 6, 6}), 5))
        .isEqualTo(4);
    assertThat(ByteBufUtil.getBytes(composite)).containsExactly(6, 6, 6, 6, 5);
    composite.release();
  }

  @Test
  @Tag("C4")
  void aFixedOneIsReadOnlyAndCopiesToAnything() throws Exception {
    ByteBuf[] given = {direct(1, 2, 3), heap(), heap(4, 5, 6, 7), direct(8, 9)};
    ByteBuf fixed = FixedCompositeByteBuf.of(POOLED, given);
    assertThat(fixed.isReadOnly()).isTrue();
    assertThat(fixed.isWritable()).isFalse();
    assertThat(fixed.maxCapacity()).isEqualTo(9);
    assertThat(fixed.getLong(0)).isEqualTo(0x0102030405060708L);
    byte[] all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    ByteBuf direct = POOLED.directBuffer(9).writeBytes(fixed, 0, 9);
    assertThat(ByteBufUtil.getBytes(direct)).isEqualTo(all);
    ByteBuf copy = fixed.copy();
    assertThat(ByteBufUtil.getBytes(copy)).isEqualTo(all);
    MemoryChannel channel = new MemoryChannel(new byte[3]);
    assertThat(fixed.getBytes(0, channel, 9)).isEqualTo(3);
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    fixed.getBytes(0, out, 9);
    assertThat(out.toByteArray()).isEqualTo(all);
    ByteBuffer nio = ByteBuffer.allocateDirect(9);
    fixed.getBytes(0, nio);
    assertThat(nio.get(8)).isEqualTo((byte) 9);
    assertThat(Arrays.stream(fixed.nioBuffers()).mapToInt(ByteBuffer::remaining).sum())
        .isEqualTo(9);
    fixed.release();
    direct.release();
    copy.release();
    assertThat(given).extracting(ByteBuf::refCnt).containsOnly(0);
  }

  @Test
  @Tag("C4")
  void aFixedOneRefusesEveryChange() {
    ByteBuf fixed = FixedCompositeByteBuf.of(POOLED, direct(1, 2, 3), heap(4, 5, 6, 7, 8));
    List<Runnable> changes =
        List.of(
            () -> fixed.setByte(0, 1),
            () -> fixed.setShort(0, 1),
            () -> fixed.setMediumLE(0, 1),
            () -> fixed.setInt(0, 1),
            () -> fixed.setLong(0, 1),
            () -> fixed.setZero(0, 1),
            () -> fixed.setBytes(0, new byte[1]),
            () -> fixed.setBytes(0, ByteBuffer.allocate(1)),
            () -> fixed.setBytes(0, fixed, 1, 1),
            () -> fixed.capacity(2),
            fixed::discardReadBytes);
    for (Runnable change : changes) {
      assertThatThrownBy(change::run).isInstanceOf(java.nio.ReadOnlyBufferException.class);
    }
    assertThat(fixed.getLong(0)).isEqualTo(0x0102030405060708L);
    fixed.release();
  }

  @Test
  @Tag("C4")
  void aFailedFixedCompositeReleasesItsArguments() {
    ByteBuf released = direct(1);
    ByteBuf other = direct(2);
    released.release();
    assertThatThrownBy(() -> FixedCompositeByteBuf.of(POOLED, other, released))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(other.refCnt()).isZero();
    ByteBuf empty = FixedCompositeByteBuf.of(POOLED);
    assertThat(empty.capacity()).isZero();
    assertThat(empty.nioBuffers()).isEmpty();
    empty.release();
  }

  @Test
  @Tag("C3")
  void anEmptyComponentDoesNotChangeTheKindOfMemory() {
    CompositeByteBuf composite = TestAllocators.UNPOOLED.compositeBuffer();
    composite.addComponents(Unpooled.EMPTY_BUFFER, TestAllocators.UNPOOLED.directBuffer(8));
    assertThat(composite.isDirect()).isTrue();
    assertThat(composite.release()).isTrue();
  }

  @Test
  @Tag("C3")
  void aSearchBackwardsStaysInsideOfTheComponents() {
    ByteBuf margin = Unpooled.wrappedBuffer(new byte[] {7, 7, 1, 2}).skipBytes(2);
    CompositeByteBuf composite = TestAllocators.UNPOOLED.compositeBuffer();
    composite.addComponents(true, Unpooled.wrappedBuffer(new byte[] {3, 4}), margin.slice());
    assertThat(composite.forEachByteDesc(value -> value != 7)).isEqualTo(-1);
    assertThat(composite.forEachByteDesc(value -> value != 3)).isZero();
    assertThat(composite.release()).isTrue();
  }
}

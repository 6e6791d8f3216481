/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/** Tests a buffer in the other byte order against the JDK's buffer. */
@Tag("B2")
@SuppressWarnings("deprecation") // order() is the tested method
class SwappedOrderTest {
  private static final int BYTES = 64;
  private static final long SEED = 42;

  private static ByteBuffer reference(ByteBuf buffer) {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(SEED).nextBytes(bytes);
    buffer.setBytes(0, bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  @EveryKind(without = Trait.LITTLE_ENDIAN)
  void getsInItsOrderAtAnyIndex(BufferKind kind) {
    ByteBuf buffer = kind.buffer(BYTES);
    ByteBuffer expected = reference(buffer);
    ByteBuf swapped = buffer.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i <= BYTES - Long.BYTES; i++) {
      assertThat(swapped.getByte(i)).isEqualTo(expected.get(i));
      assertThat(swapped.getShort(i)).isEqualTo(expected.getShort(i));
      assertThat(swapped.getUnsignedShort(i)).isEqualTo(expected.getShort(i) & 0xFFFF);
      assertThat(swapped.getChar(i)).isEqualTo(expected.getChar(i));
      assertThat(swapped.getMedium(i)).isEqualTo(expected.getInt(i) << 8 >> 8);
      assertThat(swapped.getUnsignedMedium(i)).isEqualTo(expected.getInt(i) & 0xFFFFFF);
      assertThat(swapped.getInt(i)).isEqualTo(expected.getInt(i));
      assertThat(swapped.getUnsignedInt(i)).isEqualTo(expected.getInt(i) & 0xFFFFFFFFL);
      assertThat(swapped.getLong(i)).isEqualTo(expected.getLong(i));
      assertThat(bits(swapped.getFloat(i))).isEqualTo(expected.getInt(i));
      assertThat(bits(swapped.getDouble(i))).isEqualTo(expected.getLong(i));
      assertThat(swapped.getShortLE(i)).isEqualTo(expected.getShort(i));
      assertThat(swapped.getMediumLE(i)).isEqualTo(expected.getInt(i) << 8 >> 8);
      assertThat(swapped.getIntLE(i)).isEqualTo(expected.getInt(i));
      assertThat(swapped.getLongLE(i)).isEqualTo(expected.getLong(i));
      assertThat(bits(swapped.getDoubleLE(i))).isEqualTo(expected.getLong(i));
    }
    swapped.release();
  }

  @EveryKind(without = Trait.LITTLE_ENDIAN)
  void readsBackWrittenValues(BufferKind kind) {
    ByteBuf buffer = kind.buffer(2 * BYTES);
    ByteBuf swapped = buffer.order(ByteOrder.LITTLE_ENDIAN);
    swapped.writeShort(0x8182).writeMedium(0x818283).writeInt(0x81828384);
    swapped.writeLong(0x8182838485868788L).writeChar(0x8182).writeFloat(1.5f).writeDouble(-2.5);
    int written = swapped.writerIndex();
    swapped.setShort(written, 0x8182).setMedium(written + 2, 0x818283);
    swapped.setInt(written + 5, 0x81828384).setLong(written + 9, 0x8182838485868788L);
    swapped.setChar(written + 17, 0x8182).setFloat(written + 19, 1.5f);
    swapped.setDouble(written + 23, -2.5);
    swapped.writerIndex(2 * written);
    assertThat(buffer.writerIndex()).as("the indices are the other's").isEqualTo(62);
    assertThat(buffer.getByte(0)).as("the low byte first").isEqualTo((byte) 0x82);
    for (int round = 0; round < 2; round++) {
      assertThat(swapped.readShort()).isEqualTo((short) 0x8182);
      assertThat(swapped.readMedium()).isEqualTo(0x818283 | 0xFF << 24);
      assertThat(swapped.readInt()).isEqualTo(0x81828384);
      assertThat(swapped.readLong()).isEqualTo(0x8182838485868788L);
      assertThat(swapped.readChar()).isEqualTo((char) 0x8182);
      assertThat(swapped.readFloat()).isEqualTo(1.5f);
      assertThat(swapped.readDouble()).isEqualTo(-2.5);
    }
    swapped.readerIndex(0);
    assertThat(swapped.readUnsignedShort()).isEqualTo(0x8182);
    assertThat(swapped.readUnsignedMedium()).isEqualTo(0x818283);
    assertThat(swapped.readUnsignedInt()).isEqualTo(0x81828384L);
    swapped.release();
  }

  @EveryKind(without = {Trait.LITTLE_ENDIAN, Trait.WRAPPER})
  @Unwatched("a wrapper's views get new wrappers")
  void orderReturnsTheBufferItselfOrTheSwappedOne(BufferKind kind) {
    ByteBuf buffer = kind.buffer(BYTES);
    ByteBuf swapped = buffer.order(ByteOrder.LITTLE_ENDIAN);
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(swapped.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(buffer.order(ByteOrder.BIG_ENDIAN)).isSameAs(buffer);
    assertThat(swapped.order(ByteOrder.LITTLE_ENDIAN)).isSameAs(swapped);
    assertThat(swapped.order(ByteOrder.BIG_ENDIAN)).isSameAs(buffer);
    assertThat(swapped.clear()).isSameAs(swapped);
    assertThatThrownBy(() -> swapped.order(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> buffer.order(null)).isInstanceOf(NullPointerException.class);
    assertThat(swapped.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }

  @EveryKind(without = {Trait.LITTLE_ENDIAN, Trait.SCATTERED})
  void itsViewsCopiesAndNioBuffersHaveItsOrder(BufferKind kind) {
    ByteBuf buffer = kind.buffer(BYTES);
    ByteBuf swapped = buffer.order(ByteOrder.LITTLE_ENDIAN);
    swapped.writeInt(1).writeInt(2).writeInt(3).writeInt(4);
    for (ByteBuf view :
        new ByteBuf[] {
          swapped.slice(), swapped.slice(0, 8), swapped.duplicate(), swapped.asReadOnly()
        }) {
      assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
      assertThat(view.getInt(4)).isEqualTo(2);
    }
    ByteBuf slice = swapped.readRetainedSlice(4);
    assertThat(slice.readInt()).isEqualTo(1);
    slice.release();
    assertThat(swapped.readSlice(4).readInt()).isEqualTo(2);
    ByteBuf read = swapped.readBytes(4);
    ByteBuf copy = swapped.copy();
    assertThat(read.readInt()).isEqualTo(3);
    assertThat(copy.readInt()).isEqualTo(4);
    read.release();
    copy.release();
    assertThat(swapped.nioBuffer(0, 8).getInt(4)).isEqualTo(2);
    assertThat(swapped.nioBuffer().getInt()).isEqualTo(4);
    assertThat(swapped.internalNioBuffer(4, 4).getInt()).isEqualTo(2);
    assertThat(swapped.nioBuffers()[0].order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(swapped.nioBuffers(4, 4)[0].getInt()).isEqualTo(2);
    assertThat(buffer.internalNioBuffer(0, 4).order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    swapped.release();
  }

  @EveryKind(without = {Trait.FIXED, Trait.LITTLE_ENDIAN})
  void accessesTheNewMemoryOfABufferThatHasGrown(BufferKind kind) {
    ByteBuf buffer = kind.buffer(16);
    ByteBuf swapped = buffer.order(ByteOrder.LITTLE_ENDIAN);
    swapped.writeLong(1);
    buffer.capacity(100_000);
    assertThat(swapped.getLong(0)).isEqualTo(1);
    swapped.setLong(99_992, 2);
    assertThat(buffer.getLongLE(99_992)).isEqualTo(2);
    swapped.capacity(32);
    assertThat(buffer.capacity()).isEqualTo(32);
    swapped.writerIndex(32).writeLong(3);
    assertThat(buffer.getLongLE(32)).isEqualTo(3);
    swapped.release();
  }

  @EveryKind(without = Trait.LITTLE_ENDIAN)
  void bytesMakeItEqualAndNotOrder(BufferKind kind) {
    ByteBuf buffer = kind.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11, 12, 13});
    ByteBuf other = kind.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11, 12, 13});
    ByteBuf swapped = other.order(ByteOrder.LITTLE_ENDIAN);
    assertThat(swapped.equals(buffer)).isTrue();
    assertThat(buffer.equals(swapped)).isTrue();
    assertThat(swapped).hasSameHashCodeAs(buffer);
    assertThat(ByteBufUtil.hashCode(swapped)).isEqualTo(ByteBufUtil.hashCode(buffer));
    assertThat(buffer.compareTo(swapped)).isZero();
    other.setByte(3, 3);
    assertThat(buffer.compareTo(swapped)).isPositive();
    assertThat(swapped.compareTo(buffer)).isNegative();
    buffer.release();
    swapped.release();
  }
}

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

/** Tests numbers of every width, in both orders, against the JDK's buffer. */
@Tag("B1")
@Tag("B2")
@Tag("B5")
@Tag("B13")
class NumberAccessTest {
  private static final int BYTES = 64;
  private static final long SEED = 42;

  private static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(SEED).nextBytes(bytes);
    return bytes;
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  @EveryKind(without = Trait.LITTLE_ENDIAN, readsOnly = true)
  void readsBigEndianAtAnyIndex(BufferKind kind) {
    ByteBuf buffer = kind.of(bytes());
    ByteBuffer expected = ByteBuffer.wrap(bytes());
    for (int i = 0; i <= BYTES - Long.BYTES; i++) {
      assertThat(buffer.getByte(i)).isEqualTo(expected.get(i));
      assertThat(buffer.getUnsignedByte(i)).isEqualTo((short) (expected.get(i) & 0xFF));
      assertThat(buffer.getBoolean(i)).isEqualTo(expected.get(i) != 0);
      assertThat(buffer.getShort(i)).isEqualTo(expected.getShort(i));
      assertThat(buffer.getUnsignedShort(i)).isEqualTo(expected.getShort(i) & 0xFFFF);
      assertThat(buffer.getChar(i)).isEqualTo(expected.getChar(i));
      assertThat(buffer.getMedium(i)).isEqualTo(expected.getInt(i) >> 8);
      assertThat(buffer.getUnsignedMedium(i)).isEqualTo(expected.getInt(i) >>> 8);
      assertThat(buffer.getInt(i)).isEqualTo(expected.getInt(i));
      assertThat(buffer.getUnsignedInt(i)).isEqualTo(expected.getInt(i) & 0xFFFFFFFFL);
      assertThat(buffer.getLong(i)).isEqualTo(expected.getLong(i));
      assertThat(bits(buffer.getFloat(i))).isEqualTo(expected.getInt(i));
      assertThat(bits(buffer.getDouble(i))).isEqualTo(expected.getLong(i));
    }
    buffer.release();
  }

  @EveryKind(readsOnly = true)
  void readsLittleEndianAtAnyIndex(BufferKind kind) {
    ByteBuf buffer = kind.of(bytes());
    ByteBuffer expected = ByteBuffer.wrap(bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i <= BYTES - Long.BYTES; i++) {
      assertThat(buffer.getShortLE(i)).isEqualTo(expected.getShort(i));
      assertThat(buffer.getUnsignedShortLE(i)).isEqualTo(expected.getShort(i) & 0xFFFF);
      assertThat(buffer.getMediumLE(i)).isEqualTo(expected.getInt(i) << 8 >> 8);
      assertThat(buffer.getUnsignedMediumLE(i)).isEqualTo(expected.getInt(i) & 0xFFFFFF);
      assertThat(buffer.getIntLE(i)).isEqualTo(expected.getInt(i));
      assertThat(buffer.getUnsignedIntLE(i)).isEqualTo(expected.getInt(i) & 0xFFFFFFFFL);
      assertThat(buffer.getLongLE(i)).isEqualTo(expected.getLong(i));
      assertThat(bits(buffer.getFloatLE(i))).isEqualTo(expected.getInt(i));
      assertThat(bits(buffer.getDoubleLE(i))).isEqualTo(expected.getLong(i));
    }
    buffer.release();
  }

  @EveryKind(without = Trait.LITTLE_ENDIAN)
  void setsTouchTheirOwnBytesOnly(BufferKind kind) {
    ByteBuf buffer = kind.buffer(BYTES);
    buffer.setZero(0, BYTES);
    buffer.setMedium(3, 0x7F123456).setShort(9, 0x7FFF1234).setByte(14, 0x7FFFFF56);
    buffer.setMediumLE(20, 0x7F123456).setLongLE(30, -2L).setDouble(40, Math.PI);
    byte[] expected = new byte[BYTES];
    ByteBuffer reference = ByteBuffer.wrap(expected);
    reference.put(3, new byte[] {0x12, 0x34, 0x56}).putShort(9, (short) 0x1234);
    reference.put(14, (byte) 0x56).put(20, new byte[] {0x56, 0x34, 0x12});
    reference.putDouble(40, Math.PI).order(ByteOrder.LITTLE_ENDIAN).putLong(30, -2L);
    byte[] found = new byte[BYTES];
    buffer.getBytes(0, found);
    assertThat(found).isEqualTo(expected);
    buffer.release();
  }

  @EveryKind
  void readsBackWrittenNumbers(BufferKind kind) {
    ByteBuf buffer = kind.buffer(2 * BYTES);
    buffer.writeBoolean(true).writeByte(-2).writeShort(-3).writeShortLE(-4).writeMedium(-5);
    buffer.writeMediumLE(-6).writeInt(-7).writeIntLE(-8).writeLong(-9).writeLongLE(-10);
    buffer.writeChar('x').writeFloat(1.5f).writeFloatLE(2.5f).writeDouble(3.5).writeDoubleLE(4.5);
    assertThat(buffer.readBoolean()).isTrue();
    assertThat(buffer.readByte()).isEqualTo((byte) -2);
    assertThat(buffer.readShort()).isEqualTo((short) -3);
    assertThat(buffer.readShortLE()).isEqualTo((short) -4);
    assertThat(buffer.readMedium()).isEqualTo(-5);
    assertThat(buffer.readMediumLE()).isEqualTo(-6);
    assertThat(buffer.readInt()).isEqualTo(-7);
    assertThat(buffer.readIntLE()).isEqualTo(-8);
    assertThat(buffer.readLong()).isEqualTo(-9);
    assertThat(buffer.readLongLE()).isEqualTo(-10);
    assertThat(buffer.readChar()).isEqualTo('x');
    assertThat(buffer.readFloat()).isEqualTo(1.5f);
    assertThat(buffer.readFloatLE()).isEqualTo(2.5f);
    assertThat(buffer.readDouble()).isEqualTo(3.5);
    assertThat(buffer.readDoubleLE()).isEqualTo(4.5);
    assertThat(buffer.isReadable()).isFalse();
    buffer.release();
  }

  @EveryKind
  @Tag("needs-checks")
  void refusesIndicesOutOfBounds(BufferKind kind) {
    ByteBuf buffer = kind.buffer(8);
    for (int index : new int[] {-1, 1, 8, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> buffer.getLong(index))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContainingAll("index: " + index, "length: 8", "(0, 8)");
      assertThatThrownBy(() -> buffer.setLong(index, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(buffer.getLong(0)).isZero();
    assertThatThrownBy(buffer::readByte)
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContainingAll("readerIndex(0)", "length(1)", "writerIndex(0)", "capacity: 8");
    buffer.release();
  }
}

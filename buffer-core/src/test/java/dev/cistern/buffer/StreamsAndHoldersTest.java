/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import dev.cistern.util.IllegalReferenceCountException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of streams over buffers, and of objects that hold a buffer. */
@ExtendWith(PoolCheck.class)
class StreamsAndHoldersTest {
  @EveryKind(without = Trait.LITTLE_ENDIAN)
  @Tag("B11")
  void readsBackWrittenData(BufferKind kind) throws IOException {
    ByteBuf buffer = kind.buffer(128);
    ByteBufOutputStream out = new ByteBufOutputStream(buffer);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    DataOutputStream reference = new DataOutputStream(expected);
    out.writeBoolean(true);
    reference.writeBoolean(true);
    out.writeByte(-2);
    reference.writeByte(-2);
    out.writeShort(-3);
    reference.writeShort(-3);
    out.writeChar('\u20AC');
    reference.writeChar('\u20AC');
    out.writeInt(-5);
    reference.writeInt(-5);
    out.writeLong(-6);
    reference.writeLong(-6);
    out.writeFloat(0.5f);
    reference.writeFloat(0.5f);
    out.writeDouble(-0.25);
    reference.writeDouble(-0.25);
    out.writeUTF("d\u00E9j\u00E0 \u20AC");
    reference.writeUTF("d\u00E9j\u00E0 \u20AC");
    out.writeBytes("b\u0141"); // the low byte of each character, as DataOutput specifies
    reference.writeBytes("b\u0141");
    out.writeChars("c\u0141");
    reference.writeChars("c\u0141");
    out.write(7);
    reference.write(7);
    out.write(new byte[] {8, 9});
    reference.write(new byte[] {8, 9});
    assertThat(ByteBufUtil.getBytes(buffer)).isEqualTo(expected.toByteArray());
    assertThat(out.writtenBytes()).isEqualTo(expected.size());
    assertThat(out.buffer()).isSameAs(buffer);
    out.close();

    ByteBufInputStream in = new ByteBufInputStream(buffer);
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readByte()).isEqualTo((byte) -2);
    assertThat(in.readUnsignedShort()).isEqualTo(0xFFFD);
    assertThat(in.readChar()).isEqualTo('\u20AC');
    assertThat(in.readInt()).isEqualTo(-5);
    assertThat(in.readLong()).isEqualTo(-6);
    assertThat(in.readFloat()).isEqualTo(0.5f);
    assertThat(in.readDouble()).isEqualTo(-0.25);
    assertThat(in.readUTF()).isEqualTo("d\u00E9j\u00E0 \u20AC");
    in.mark(0);
    assertThat(in.skipBytes(2)).isEqualTo(2);
    in.reset();
    byte[] rest = new byte[6];
    in.readFully(rest);
    assertThat(rest).startsWith('b', 0x41);
    assertThat(in.readUnsignedByte()).isEqualTo(7);
    assertThat(in.readBytes()).isEqualTo(expected.size() - 2);
    assertThat(in.available()).isEqualTo(2);
    assertThat(in.skip(Long.MAX_VALUE)).isEqualTo(2);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read(rest, 0, 1)).isEqualTo(-1);
    assertThatThrownBy(in::readInt).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> in.readFully(rest)).isInstanceOf(EOFException.class);
    in.close();
    buffer.release();
  }

  @EveryKind(without = Trait.UNCOUNTED, readsOnly = true)
  @Tag("B11")
  void linesEndInOneWayOrAnother(BufferKind kind) throws IOException {
    ByteBuf buffer = kind.of("one\r\ntwo\n\rthree\r".getBytes(StandardCharsets.US_ASCII));
    try (ByteBufInputStream in = new ByteBufInputStream(buffer, true)) {
      assertThat(in.readLine()).isEqualTo("one");
      assertThat(in.readLine()).isEqualTo("two");
      assertThat(in.readLine()).isEmpty();
      assertThat(in.readLine()).isEqualTo("three");
      assertThat(in.readLine()).isNull();
    }
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  @Tag("B11")
  void aStreamEndsAtItsGivenLength() throws IOException {
    ByteBuf buffer = BufferKind.POOLED_DIRECT.of((byte) 1, (byte) 2, (byte) '\r', (byte) '\n');
    ByteBufInputStream in = new ByteBufInputStream(buffer, 3);
    assertThat(in.readShort()).isEqualTo((short) 0x0102);
    assertThatThrownBy(in::readShort).isInstanceOf(EOFException.class);
    assertThat(in.readLine()).isEmpty();
    assertThat(in.available()).as("the line feed is beyond the end").isZero();
    assertThat(in.readBytes()).isEqualTo(3);
    assertThat(in.skip(-1)).isZero();
    assertThat(buffer.release()).isTrue();
  }

  @Test
  @Tag("B11")
  void theBufferIsReleasedOnceIfItWasHandedOver() throws IOException {
    ByteBuf given = BufferKind.POOLED_HEAP.buffer(8).retain();
    ByteBufOutputStream out = new ByteBufOutputStream(given, true);
    out.writeUTF("x");
    out.close();
    out.close();
    assertThat(given.refCnt()).isOne();
    ByteBufInputStream in = new ByteBufInputStream(given, 1, true);
    in.close();
    in.close();
    assertThat(given.refCnt()).isZero();
    for (int length : new int[] {-1, 1}) {
      ByteBuf refused = BufferKind.POOLED_HEAP.buffer(8);
      assertThatThrownBy(() -> new ByteBufInputStream(refused, length, true))
          .isInstanceOf(
              length < 0 ? IllegalArgumentException.class : IndexOutOfBoundsException.class);
      assertThat(refused.refCnt()).isZero();
    }
    ByteBuf kept = BufferKind.POOLED_HEAP.buffer(8);
    assertThatThrownBy(() -> new ByteBufInputStream(kept, 9))
        .isInstanceOf(IndexOutOfBoundsException.class);
    new ByteBufOutputStream(kept).close();
    assertThat(kept.release()).isTrue();
  }

  @Test
  @Tag("B11")
  @SuppressWarnings("deprecation") // order() is deprecated
  void numbersHaveTheBuffersOrder() throws IOException {
    ByteBuf buffer = BufferKind.POOLED_HEAP.buffer(8);
    ByteBuf little = buffer.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    new ByteBufOutputStream(little).writeInt(1);
    assertThat(ByteBufUtil.getBytes(buffer)).containsExactly(1, 0, 0, 0);
    assertThat(new ByteBufInputStream(little).readInt()).isOne();
    buffer.release();
  }

  @Test
  @Tag("B11")
  void aHolderSharesTheCountOfItsContent() {
    ByteBuf buffer = BufferKind.POOLED_DIRECT.of((byte) 1, (byte) 2);
    DefaultByteBufHolder holder = new DefaultByteBufHolder(buffer);
    assertThat(holder.content()).isSameAs(buffer);
    assertThat(holder.retain().refCnt()).isEqualTo(2);
    assertThat(holder.retain(2).touch().touch("hint").refCnt()).isEqualTo(4);
    assertThat(holder.release(3)).isFalse();
    ByteBufHolder copy = holder.copy();
    ByteBufHolder duplicate = holder.duplicate();
    assertThat(copy).isEqualTo(holder).hasSameHashCodeAs(holder).isEqualTo(duplicate);
    copy.content().setByte(0, 9);
    assertThat(copy).isNotEqualTo(holder);
    assertThat(copy.release()).isTrue();
    ByteBufHolder retained = holder.retainedDuplicate();
    assertThat(holder.refCnt()).isEqualTo(2);
    assertThat(retained.release()).isFalse();
    assertThat(holder.toString()).isEqualTo("DefaultByteBufHolder(" + buffer + ")");
    assertThat(holder).isNotEqualTo(new DefaultByteBufHolder(buffer) {}).isNotEqualTo(null);
    assertThat(holder.release()).isTrue();
    assertThatThrownBy(holder::content).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(holder.toString()).contains("(freed)");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.NioMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the factories of unpooled buffers. */
@Tag("D1")
@SuppressWarnings("deprecation") // order() and unmodifiableBuffer() are deprecated
class UnpooledTest {
  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  private static ByteBuf of(int... values) {
    ByteBuf buffer = Unpooled.buffer(8);
    for (int value : values) {
      buffer.writeByte(value);
    }
    return buffer;
  }

  @Test
  void newBuffersAreEmptyAndOfTheRequestedKind() {
    assertThat(Unpooled.buffer().isDirect()).isFalse();
    assertThat(Unpooled.buffer(3).capacity()).isEqualTo(3);
    assertThat(Unpooled.buffer(3, 7).maxCapacity()).isEqualTo(7);
    for (ByteBuf direct :
        List.of(Unpooled.directBuffer(), Unpooled.directBuffer(3), Unpooled.directBuffer(3, 7))) {
      assertThat(direct.isDirect()).isTrue();
      assertThat(direct.isReadable()).isFalse();
      assertThat(direct.release()).isTrue();
    }
    CompositeByteBuf composite = Unpooled.compositeBuffer();
    assertThat(composite.maxNumComponents()).isEqualTo(16);
    assertThat(composite.release()).isTrue();
    assertThat(Unpooled.compositeBuffer(3).maxNumComponents()).isEqualTo(3);
    assertThatThrownBy(() -> Unpooled.compositeBuffer(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aWrappedArrayIsShared() {
    byte[] array = {1, 2, 3, 4, 5};
    ByteBuf whole = Unpooled.wrappedBuffer(array);
    ByteBuf part = Unpooled.wrappedBuffer(array, 1, 3);
    array[2] = 9;
    assertThat(bytes(whole)).isEqualTo(array);
    assertThat(bytes(part)).containsExactly(2, 9, 4);
    assertThat(whole.array()).isSameAs(array);
    assertThat(part.arrayOffset()).isEqualTo(1);
    assertThat(whole.maxCapacity()).isEqualTo(5);
    assertThatThrownBy(() -> whole.writeByte(1)).isInstanceOf(IndexOutOfBoundsException.class);
    whole.capacity(2).setByte(0, 77);
    assertThat(array[0]).as("it has moved away").isEqualTo((byte) 1);
    assertThatThrownBy(() -> Unpooled.wrappedBuffer(array, 3, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(Unpooled.wrappedBuffer(array, 2, 0)).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.wrappedBuffer(new byte[0])).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(whole.release()).isTrue();
    assertThat(part.release()).isTrue();
  }

  @Test
  void memoryAtAnAddressIsSharedAndFreedOnlyOnRequest() {
    ByteBuffer owner = ByteBuffer.allocateDirect(16);
    long address = NioMemory.start(owner);
    ByteBuf shared = Unpooled.wrappedBuffer(address, 16, false);
    shared.setLong(8, 42);
    assertThat(owner.getLong(8)).isEqualTo(42);
    assertThat(shared.readableBytes()).isEqualTo(16);
    assertThat(shared.memoryAddress()).isEqualTo(address);
    assertThat(shared.nioBuffer(8, 8).getLong()).isEqualTo(42);
    assertThat(shared.release()).isTrue();
    assertThat(owner.getLong(8)).isEqualTo(42);
    assertThatThrownBy(() -> Unpooled.wrappedBuffer(address, -1, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aWrappedBufferIsHandedOver() {
    ByteBuf buffer = of(1, 2, 3);
    buffer.skipBytes(1);
    ByteBuf wrapped = Unpooled.wrappedBuffer(buffer);
    assertThat(bytes(wrapped)).containsExactly(2, 3);
    assertThat(wrapped.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
    ByteBuf nothing = of();
    assertThat(Unpooled.wrappedBuffer(nothing)).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(nothing.refCnt()).isZero();
  }

  @Test
  void severalAreJoinedWithoutACopy() {
    byte[] first = {1, 2};
    byte[] second = {3};
    ByteBuf arrays = Unpooled.wrappedBuffer(first, new byte[0], second);
    first[1] = 7;
    assertThat(bytes(arrays)).containsExactly(1, 7, 3);
    ByteBuf nio = Unpooled.wrappedBuffer(ByteBuffer.wrap(first), ByteBuffer.allocateDirect(1));
    assertThat(bytes(nio)).containsExactly(1, 7, 0);
    ByteBuf a = of(1);
    ByteBuf empty = of();
    ByteBuf b = of(2, 3);
    ByteBuf buffers = Unpooled.wrappedBuffer(empty, a, b);
    assertThat(empty.refCnt()).as("nothing to read").isZero();
    assertThat(bytes(buffers)).containsExactly(1, 2, 3);
    assertThat(buffers.release()).isTrue();
    assertThat(a.refCnt() + b.refCnt()).isZero();
    assertThat(bytes(Unpooled.wrappedBuffer(1, first, second))).containsExactly(1, 7, 3);
    assertThat(Unpooled.wrappedBuffer(new byte[0][])).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.wrappedBuffer(new byte[0], new byte[0])).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.wrappedBuffer(new ByteBuf[0])).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.wrappedBuffer(new ByteBuffer[0])).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(bytes(Unpooled.wrappedBuffer(new byte[][] {second}))).containsExactly(3);
    arrays.release();
    nio.release();
  }

  @Test
  void aSingleOneIsBigEndianAsJoinedOnesAre() {
    ByteBuf little = Unpooled.buffer(4).order(ByteOrder.LITTLE_ENDIAN).writeInt(1);
    ByteBuf wrapped = Unpooled.wrappedBuffer(new ByteBuf[] {little});
    assertThat(wrapped.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(wrapped.getInt(0)).isEqualTo(1 << 24);
    wrapped.release();
    assertThat(little.refCnt()).isZero();
  }

  @Test
  void buffersAfterANullAreReleased() {
    ByteBuf first = of(1);
    ByteBuf afterNull = of(2);
    ByteBuf wrapped = Unpooled.wrappedBuffer(first, null, afterNull);
    assertThat(bytes(wrapped)).containsExactly(1);
    assertThat(afterNull.refCnt()).isZero();
    wrapped.release();
    assertThat(first.refCnt()).isZero();
    assertThat(bytes(Unpooled.wrappedBuffer(new byte[] {1}, null, new byte[] {2})))
        .containsExactly(1);
  }

  @Test
  void aCallThatFailsReleasesItsArguments() {
    ByteBuf a = of(1);
    ByteBuf b = of(2);
    ByteBuf empty = of();
    assertThatThrownBy(() -> Unpooled.wrappedBuffer(0, a, b, empty))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(a.refCnt() + b.refCnt() + empty.refCnt()).isZero();
    ByteBuf live = of(1);
    ByteBuf released = of(2);
    released.release();
    assertThatThrownBy(() -> Unpooled.wrappedBuffer(live, released))
        .isInstanceOf(dev.cistern.util.IllegalReferenceCountException.class);
    assertThat(live.refCnt()).isZero();
    ByteBuf big = of(1);
    ByteBuf little = of(2).order(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> Unpooled.wrappedUnmodifiableBuffer(big, little))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(big.refCnt() + little.refCnt()).isZero();
  }

  @Test
  void copiesAreOnTheHeapAndTheirOwn() {
    byte[] array = {1, 2, 3};
    ByteBuf direct = Unpooled.directBuffer().writeBytes(array).skipBytes(1);
    List<ByteBuf> copies = new ArrayList<>();
    copies.add(Unpooled.copiedBuffer(array, 1, 2));
    copies.add(Unpooled.copiedBuffer(ByteBuffer.wrap(array, 1, 2)));
    copies.add(Unpooled.copiedBuffer(direct));
    copies.add(Unpooled.copiedBuffer(new byte[] {2}, new byte[0], new byte[] {3}));
    copies.add(Unpooled.copiedBuffer(of(2), of(), of(3)));
    copies.add(Unpooled.copiedBuffer(ByteBuffer.wrap(array, 1, 1), ByteBuffer.wrap(array, 2, 1)));
    copies.add(Unpooled.copiedBuffer(new ByteBuf[] {direct}));
    copies.add(Unpooled.copiedBuffer(new ByteBuffer[] {direct.nioBuffer()}));
    Arrays.fill(array, (byte) 0);
    assertThat(direct.readerIndex()).isEqualTo(1);
    assertThat(direct.release()).as("still the caller's").isTrue();
    for (ByteBuf copy : copies) {
      assertThat(bytes(copy)).containsExactly(2, 3);
      assertThat(copy.hasArray()).isTrue();
      assertThat(copy.release()).isTrue();
    }
    assertThatThrownBy(() -> Unpooled.copiedBuffer(array, 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(Unpooled.copiedBuffer(new byte[0])).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.copiedBuffer(of(), of())).isSameAs(Unpooled.EMPTY_BUFFER);
  }

  @Test
  void copiesOfSeveralHaveTheirOrder() {
    ByteBuf little = of(1).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuf copy = Unpooled.copiedBuffer(little, of(2).order(ByteOrder.LITTLE_ENDIAN));
    assertThat(copy.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> Unpooled.copiedBuffer(little, of(2)))
        .isInstanceOf(IllegalArgumentException.class);
    ByteBuffer littleNio = ByteBuffer.allocate(1).order(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> Unpooled.copiedBuffer(littleNio, ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void severalThreadsMayCopyOneSource() {
    ByteBuf source = Unpooled.directBuffer(1024);
    for (int i = 0; i < 256; i++) {
      source.writeInt(i);
    }
    ByteBuffer nio = source.nioBuffer();
    List<CompletableFuture<Void>> copying = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      copying.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  assertThat(Unpooled.copiedBuffer(source).equals(source)).isTrue();
                  assertThat(Unpooled.copiedBuffer(nio).equals(source)).isTrue();
                }
              }));
    }
    copying.forEach(CompletableFuture::join);
    source.release();
  }

  @Test
  void copiesOfTextAreItsBytes() {
    String text = "a\u00e9\u20ac\ud83d\ude00z";
    for (Charset charset :
        List.of(
            StandardCharsets.UTF_8,
            StandardCharsets.US_ASCII,
            StandardCharsets.ISO_8859_1,
            StandardCharsets.UTF_16)) {
      byte[] expected = text.getBytes(charset);
      assertThat(bytes(Unpooled.copiedBuffer(text, charset))).isEqualTo(expected);
      assertThat(bytes(Unpooled.copiedBuffer(text.toCharArray(), charset))).isEqualTo(expected);
      byte[] part = text.substring(1, 3).getBytes(charset);
      assertThat(bytes(Unpooled.copiedBuffer(text, 1, 2, charset))).isEqualTo(part);
      assertThat(bytes(Unpooled.copiedBuffer(text.toCharArray(), 1, 2, charset))).isEqualTo(part);
      assertThat(bytes(Unpooled.copiedBuffer(CharBuffer.wrap(text), 1, 2, charset)))
          .isEqualTo(part);
    }
    assertThat(Unpooled.copiedBuffer(text, 1, 0, StandardCharsets.UTF_8))
        .isSameAs(Unpooled.EMPTY_BUFFER);
    assertThatThrownBy(() -> Unpooled.copiedBuffer(text, 4, 5, StandardCharsets.UTF_8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(
            () -> Unpooled.copiedBuffer(text.toCharArray(), 4, 5, StandardCharsets.UTF_8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Unpooled.copiedBuffer((String) null, StandardCharsets.UTF_8))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Unpooled.copiedBuffer("", null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void numbersAreBigEndian() {
    assertThat(bytes(Unpooled.copyInt(0x01020304))).containsExactly(1, 2, 3, 4);
    assertThat(bytes(Unpooled.copyInt(1, 2))).containsExactly(0, 0, 0, 1, 0, 0, 0, 2);
    assertThat(bytes(Unpooled.copyShort(0x0102))).containsExactly(1, 2);
    assertThat(bytes(Unpooled.copyShort(1, 2))).containsExactly(0, 1, 0, 2);
    assertThat(bytes(Unpooled.copyShort(new short[] {1, 2}))).containsExactly(0, 1, 0, 2);
    assertThat(bytes(Unpooled.copyMedium(0x010203))).containsExactly(1, 2, 3);
    assertThat(bytes(Unpooled.copyMedium(1, 2))).containsExactly(0, 0, 1, 0, 0, 2);
    assertThat(Unpooled.copyLong(7).readLong()).isEqualTo(7);
    assertThat(Unpooled.copyLong(7, 8).skipBytes(8).readLong()).isEqualTo(8);
    assertThat(bytes(Unpooled.copyBoolean(true))).containsExactly(1);
    assertThat(bytes(Unpooled.copyBoolean(true, false))).containsExactly(1, 0);
    assertThat(Unpooled.copyFloat(1.5f).readFloat()).isEqualTo(1.5f);
    assertThat(Unpooled.copyFloat(1.5f, 2.5f).skipBytes(4).readFloat()).isEqualTo(2.5f);
    assertThat(Unpooled.copyDouble(1.5).readDouble()).isEqualTo(1.5);
    assertThat(Unpooled.copyDouble(1.5, 2.5).skipBytes(8).readDouble()).isEqualTo(2.5);
    assertThat(Unpooled.copyInt()).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.copyInt((int[]) null)).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.copyLong(new long[0])).isSameAs(Unpooled.EMPTY_BUFFER);
  }

  @Test
  void anUnmodifiableViewOfAReadOnlyBufferHasIndicesOfItsOwn() {
    ByteBuf readOnly = Unpooled.wrappedBuffer(new byte[] {1, 2, 3}).asReadOnly();
    ByteBuf view = Unpooled.unmodifiableBuffer(readOnly);
    assertThat(view.isReadOnly()).isTrue();
    assertThat(view.readByte()).isEqualTo((byte) 1);
    assertThat(readOnly.readerIndex()).isZero();
    view.release();
    assertThat(readOnly.refCnt()).isZero();
  }

  @Test
  void unmodifiableOnesRefuseWritesAndAreHandedOver() {
    ByteBuf one = of(1, 2);
    ByteBuf readOnly = Unpooled.unmodifiableBuffer(one);
    assertThatThrownBy(() -> readOnly.setByte(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThat(readOnly.release()).isTrue();
    assertThat(one.refCnt()).isZero();
    ByteBuf a = of(1);
    ByteBuf b = of(2);
    ByteBuf[] array = {a, b};
    ByteBuf both = Unpooled.unmodifiableBuffer(array);
    array[0] = of(9);
    assertThat(bytes(both)).containsExactly(1, 2);
    assertThatThrownBy(() -> both.setByte(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThat(both.release()).isTrue();
    assertThat(a.refCnt() + b.refCnt()).isZero();
    ByteBuf wrapped = Unpooled.wrappedUnmodifiableBuffer(of(1), of(), of(2));
    assertThat(bytes(wrapped)).containsExactly(1, 2);
    assertThat(wrapped.release()).isTrue();
    assertThat(Unpooled.wrappedUnmodifiableBuffer(of(1)).isReadOnly()).isTrue();
    assertThat(Unpooled.wrappedUnmodifiableBuffer()).isSameAs(Unpooled.EMPTY_BUFFER);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;

/** Tests that slices and duplicates share only bytes and count with their buffer. */
@Tag("C1")
@Tag("C2")
@Tag("B12")
class ViewTest {
  @EveryKind
  void sharesBytesInBothDirections(BufferKind kind) {
    ByteBuf buffer = kind.of((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
    ByteBuf slice = buffer.slice(1, 3);
    slice.setByte(0, 9);
    buffer.setByte(3, 8);
    assertThat(buffer.getByte(1)).isEqualTo((byte) 9);
    assertThat(slice.getByte(2)).isEqualTo((byte) 8);
    assertThat(slice.capacity()).isEqualTo(3);
    assertThat(slice.readableBytes()).isEqualTo(3);
    buffer.release();
  }

  @EveryKind(without = Trait.UNCOUNTED)
  void sharesTheCountAlsoWhenEmpty(BufferKind kind) {
    ByteBuf buffer = kind.buffer(16);
    ByteBuf empty = buffer.slice(3, 0);
    ByteBuf duplicate = buffer.duplicate();
    empty.retain();
    assertThat(buffer.refCnt()).isEqualTo(2);
    duplicate.release();
    assertThat(empty.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
    assertThat(duplicate.refCnt()).isZero();
  }

  @EveryKind(readsOnly = true)
  void hasIndicesAndMarksOfItsOwn(BufferKind kind) {
    ByteBuf buffer = kind.of((byte) 1, (byte) 2, (byte) 3, (byte) 4);
    buffer.readerIndex(1).markReaderIndex().markWriterIndex();
    ByteBuf duplicate = buffer.duplicate();
    assertThat(duplicate.readerIndex()).isEqualTo(1);
    duplicate.readerIndex(3);
    assertThat(buffer.readerIndex()).isEqualTo(1);
    ByteBuf slice = buffer.slice();
    assertThat(slice.readerIndex()).isZero();
    assertThat(slice.writerIndex()).isEqualTo(3);
    slice.skipBytes(2).resetReaderIndex();
    assertThat(slice.readerIndex()).isZero();
    buffer.release();
  }

  @EveryKind(without = {Trait.WRAPPER, Trait.LITTLE_ENDIAN})
  void retainedViewsKeepOnlyTheRootHoweverDeepTheyNest(BufferKind kind) {
    ByteBuf buffer = kind.of((byte) 1, (byte) 2, (byte) 3, (byte) 4);
    ByteBuf below = unwatched(buffer).unwrap();
    ByteBuf root = below == null ? unwatched(buffer) : below;
    ByteBuf view = buffer.retainedSlice();
    for (int i = 0; i < 100; i++) {
      ByteBuf next = i % 2 == 0 ? view.retainedDuplicate() : view.retainedSlice();
      view.release();
      view = next;
    }
    assertThat(unwatched(view).unwrap()).isSameAs(unwatched(root));
    assertThat(view.refCnt()).isEqualTo(2);
    assertThat(buffer.release()).isFalse();
    assertThat(view.getInt(0)).isEqualTo(0x01020304);
    assertThat(view.release()).isTrue();
  }

  /** Returns the buffer that the wrapper of a watched buffer wraps. */
  private static ByteBuf unwatched(ByteBuf buffer) {
    return buffer instanceof LeakAwareByteBuf ? buffer.unwrap() : buffer;
  }

  @EveryKind(without = {Trait.LITTLE_ENDIAN, Trait.UNCOUNTED})
  @Tag("needs-checks")
  void readsSlicesOneAfterTheOther(BufferKind kind) {
    ByteBuf buffer = kind.of((byte) 1, (byte) 2, (byte) 3, (byte) 4);
    ByteBuf first = buffer.readSlice(2);
    ByteBuf second = buffer.readRetainedSlice(2);
    assertThat(first.readShort()).isEqualTo((short) 0x0102);
    assertThat(second.readShort()).isEqualTo((short) 0x0304);
    assertThat(buffer.isReadable()).isFalse();
    assertThatThrownBy(() -> buffer.readSlice(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.refCnt()).isEqualTo(2);
    buffer.release(2);
  }

  @EveryKind
  @Tag("needs-checks")
  void refusesARangeThatIsNotInside(BufferKind kind) {
    ByteBuf buffer = kind.buffer(8);
    assertThatThrownBy(() -> buffer.slice(5, 4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.slice(-1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.slice(1, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    ByteBuf slice = buffer.slice(2, 4);
    assertThatThrownBy(() -> slice.getByte(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @EveryKind(without = Trait.SCATTERED)
  void nioBuffersOfViewsAreEachTheirOwn(BufferKind kind) {
    ByteBuf buffer = kind.of((byte) 1, (byte) 2, (byte) 3, (byte) 4);
    ByteBuf slice = buffer.slice(1, 2);
    ByteBuffer ofBuffer = buffer.internalNioBuffer(0, 4);
    ByteBuffer ofSlice = slice.internalNioBuffer(0, 2);
    ofSlice.get();
    assertThat(ofBuffer.remaining()).isEqualTo(4);
    assertThat(slice.nioBuffer().get(1)).isEqualTo((byte) 3);
    assertThat(slice.nioBuffer()).isNotSameAs(slice.nioBuffer());
    buffer.release();
  }
}

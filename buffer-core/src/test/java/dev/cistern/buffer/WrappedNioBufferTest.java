/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of buffers over the remaining bytes of a NIO buffer. */
@Tag("B8")
@Tag("B10")
@Tag("D1")
@SuppressWarnings("deprecation") // order() is deprecated
class WrappedNioBufferTest {
  private static final int BEFORE = 3;
  private static final int BYTES = 40;
  private static final int AFTER = 5;

  /** A NIO buffer, and a writable one over the same bytes. */
  record Source(String name, ByteBuffer buffer, ByteBuffer writable) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static ByteBuffer filled(ByteBuffer all, ByteOrder order) {
    for (int i = 0; i < all.capacity(); i++) {
      all.put(i, (byte) (i - BEFORE));
    }
    return all.position(BEFORE).limit(BEFORE + BYTES).order(order);
  }

  /** Returns all shapes of source, each with its own bytes. */
  static Stream<Source> sources() {
    List<Source> sources = new ArrayList<>();
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      for (boolean direct : new boolean[] {true, false}) {
        for (boolean sliced : new boolean[] {true, false}) {
          for (boolean readOnly : new boolean[] {true, false}) {
            sources.add(source(order, direct, sliced, readOnly));
          }
        }
      }
    }
    return sources.stream();
  }

  private static Source source(ByteOrder order, boolean direct, boolean sliced, boolean readOnly) {
    int capacity = BEFORE + BYTES + AFTER;
    ByteBuffer all =
        direct
            ? ByteBuffer.allocateDirect(capacity)
            : ByteBuffer.wrap(new byte[7 + capacity], 7, capacity).slice();
    filled(all, order);
    ByteBuffer shown = sliced ? all.slice() : all;
    String name =
        (direct ? "direct" : "heap")
            + (sliced ? ", sliced" : "")
            + (readOnly ? ", read-only, " : ", ")
            + order;
    return new Source(
        name, (readOnly ? shown.asReadOnlyBuffer() : shown).order(order), all.slice());
  }

  @ParameterizedTest
  @MethodSource("sources")
  void sharesTheRemainingBytes(Source source) {
    ByteBuffer nio = source.buffer();
    int position = nio.position();
    ByteBuf buffer = Unpooled.wrappedBuffer(nio);
    assertThat(buffer.readableBytes()).isEqualTo(BYTES);
    assertThat(buffer.maxCapacity()).isEqualTo(BYTES);
    assertThat(buffer.isDirect()).isEqualTo(nio.isDirect());
    assertThat(buffer.isReadOnly()).isEqualTo(nio.isReadOnly());
    assertThat(buffer.hasArray()).isEqualTo(nio.hasArray());
    assertThat(buffer.hasMemoryAddress()).isEqualTo(nio.isDirect());
    assertThat(buffer.order()).isEqualTo(nio.hasArray() ? nio.order() : ByteOrder.BIG_ENDIAN);
    for (int i = 0; i < BYTES; i++) {
      assertThat(buffer.getByte(i)).isEqualTo((byte) i);
    }
    assertThat(buffer.getLongLE(8)).isEqualTo(0x0F0E0D0C0B0A0908L);
    source.writable().put(4, (byte) 99);
    assertThat(buffer.getByte(4)).isEqualTo((byte) 99);
    assertThat(nio.position()).as("stays").isEqualTo(position);
    assertThat(buffer.release()).isTrue();
    assertThat(source.writable().get(4)).as("still there").isEqualTo((byte) 99);
  }

  @ParameterizedTest
  @MethodSource("sources")
  void itsNioBuffersHaveTheRightLimits(Source source) {
    ByteBuf buffer = Unpooled.wrappedBuffer(source.buffer());
    for (ByteBuffer nio :
        List.of(
            buffer.nioBuffer(2, 3), buffer.nioBuffers(2, 3)[0], buffer.internalNioBuffer(2, 3))) {
      assertThat(nio.remaining()).isEqualTo(3);
      assertThat(nio.get(nio.position())).isEqualTo((byte) 2);
      assertThat(nio.isReadOnly()).isEqualTo(source.buffer().isReadOnly());
      assertThat(nio.isDirect()).isEqualTo(source.buffer().isDirect());
    }
    buffer.release();
  }

  @ParameterizedTest
  @MethodSource("sources")
  void copiesToAndFromOtherBuffers(Source source) {
    ByteBuf buffer = Unpooled.wrappedBuffer(source.buffer());
    byte[] expected = new byte[BYTES];
    buffer.getBytes(0, expected);
    for (ByteBuf target : List.of(Unpooled.buffer(8), Unpooled.directBuffer(8))) {
      target.writeBytes(buffer, 0, BYTES);
      byte[] copied = new byte[BYTES];
      target.readBytes(copied);
      assertThat(copied).isEqualTo(expected);
      target.release();
    }
    ByteBuf copy = buffer.copy(1, BYTES - 1);
    assertThat(copy.isDirect()).isEqualTo(buffer.isDirect());
    assertThat(copy.isReadOnly()).isFalse();
    assertThat(copy.getByte(0)).isEqualTo((byte) 1);
    copy.setByte(0, 7);
    assertThat(buffer.getByte(1)).isEqualTo((byte) 1);
    copy.release();
    ByteBuf nioTarget = Unpooled.buffer(BYTES).setBytes(0, source.buffer().duplicate());
    byte[] set = new byte[BYTES];
    nioTarget.getBytes(0, set);
    assertThat(set).isEqualTo(expected);
    nioTarget.release();
    buffer.release();
  }

  @ParameterizedTest
  @MethodSource("sources")
  void writesReachTheSourceUnlessItIsReadOnly(Source source) {
    ByteBuf buffer = Unpooled.wrappedBuffer(source.buffer());
    if (source.buffer().isReadOnly()) {
      assertThatThrownBy(() -> buffer.setByte(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(() -> buffer.setBytes(0, new byte[2]))
          .isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(() -> buffer.capacity(3)).isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(buffer::array).isInstanceOf(ReadOnlyBufferException.class);
      assertThat(buffer.duplicate().isReadOnly()).isTrue();
      assertThat(source.writable().get(0)).isZero();
    } else {
      buffer.setByte(0, 77);
      assertThat(source.writable().get(0)).isEqualTo((byte) 77);
      assertThatThrownBy(() -> buffer.writeByte(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    buffer.release();
  }

  @Test
  void aShrunkOneLeavesTheSourceAlone() {
    ByteBuffer direct = filled(ByteBuffer.allocateDirect(60), ByteOrder.BIG_ENDIAN);
    ByteBuf buffer = Unpooled.wrappedBuffer(direct);
    buffer.capacity(10).setByte(0, 50);
    assertThat(direct.get(BEFORE)).as("it has moved away").isZero();
    buffer.capacity(BYTES).setByte(BYTES - 1, 1);
    assertThat(buffer.getByte(9)).isEqualTo((byte) 9);
    buffer.release();
    assertThat(direct.get(BEFORE + 9)).isEqualTo((byte) 9);
  }

  @Test
  void keepsTheMemoryOfItsSourceAlive() {
    ByteBuf buffer = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(1 << 20).put(0, (byte) 5));
    ByteBuf readOnly =
        Unpooled.wrappedBuffer(
            ByteBuffer.allocateDirect(1 << 20).put(0, (byte) 6).asReadOnlyBuffer());
    for (int i = 0; i < 3; i++) {
      System.gc();
      ByteBuffer.allocateDirect(1 << 20); // could reuse the address of a freed buffer
    }
    assertThat(buffer.getByte(0)).isEqualTo((byte) 5);
    assertThat(readOnly.getByte(0)).isEqualTo((byte) 6);
    buffer.release();
    readOnly.release();
  }

  @Test
  void nothingThatRemainsIsTheEmptyBuffer() {
    ByteBuffer used = ByteBuffer.allocate(4).position(4);
    assertThat(Unpooled.wrappedBuffer(used)).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.copiedBuffer(used)).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(0)))
        .isSameAs(Unpooled.EMPTY_BUFFER);
  }
}

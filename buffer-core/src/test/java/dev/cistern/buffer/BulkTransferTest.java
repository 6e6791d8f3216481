/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/** Tests of transfers of bytes to and from arrays, buffers, streams, channels and files. */
@Tag("B1")
@Tag("B3")
@Tag("B8")
class BulkTransferTest {
  private static final int BYTES = 20_000; // more than one block of a stream transfer

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] readable(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  @EveryKind
  void copiesToAndFromEveryOtherKind(BufferKind kind) {
    for (BufferKind otherKind : BufferKind.writable()) {
      byte[] bytes = bytes(100);
      ByteBuf source = kind.of(bytes);
      ByteBuf target = otherKind.buffer(120);
      target.writeBytes(source, 10, 50);
      target.setBytes(60, source, 70, 20);
      assertThat(source.readerIndex()).isZero();
      assertThat(target.getByte(0)).isEqualTo(bytes[10]);
      assertThat(target.getByte(49)).isEqualTo(bytes[59]);
      assertThat(target.getByte(79)).isEqualTo(bytes[89]);
      source.getBytes(90, target, 110, 10);
      assertThat(target.getByte(119)).isEqualTo(bytes[99]);
      target.clear().writeBytes(source);
      assertThat(readable(target)).isEqualTo(bytes);
      assertThat(source.isReadable()).isFalse();
      source.release();
      target.release();
    }
  }

  @EveryKind
  void copiesThroughWrappersOnEitherSide(BufferKind kind) {
    byte[] bytes = bytes(20);
    ByteBuf source = kind.of(bytes);
    ByteBuf target = kind.buffer(20);
    ByteBuf wrappedSource = Unpooled.unreleasableBuffer(source);
    ByteBuf wrappedTarget = Unpooled.unreleasableBuffer(Unpooled.unreleasableBuffer(target));
    source.getBytes(0, wrappedTarget, 0, 5);
    target.setBytes(5, wrappedSource, 5, 5);
    wrappedSource.getBytes(10, wrappedTarget, 10, 5);
    wrappedTarget.setBytes(15, wrappedSource, 15, 5);
    assertThat(readable(target.writerIndex(20))).isEqualTo(bytes);
    wrappedTarget.clear().writeBytes(wrappedSource);
    assertThat(wrappedSource.isReadable()).isFalse();
    assertThat(readable(target)).isEqualTo(bytes);
    assertThatThrownBy(() -> source.getBytes(0, wrappedTarget.asReadOnly(), 0, 5))
        .isInstanceOf(ReadOnlyBufferException.class);
    source.release();
    target.release();
  }

  @EveryKind
  void movesOverlappingBytesOfItsOwn(BufferKind kind) {
    byte[] bytes = bytes(100);
    ByteBuf buffer = kind.of(bytes);
    buffer.setBytes(10, buffer, 0, 50);
    System.arraycopy(bytes, 0, bytes, 10, 50);
    assertThat(readable(buffer)).isEqualTo(bytes);
    buffer.readerIndex(7).discardReadBytes();
    assertThat(buffer.getByte(0)).isEqualTo(bytes[7]);
    assertThat(buffer.writerIndex()).isEqualTo(93);
    buffer.release();
  }

  @EveryKind
  void takesNioBuffersOfEverySortAtAnyOffset(BufferKind kind) {
    byte[] bytes = bytes(40);
    ByteBuffer wrapped = ByteBuffer.wrap(bytes, 5, 30).slice();
    ByteBuffer direct = ByteBuffer.allocateDirect(30).put(bytes, 5, 30).flip();
    for (ByteBuffer source :
        new ByteBuffer[] {
          wrapped.duplicate(), wrapped.asReadOnlyBuffer(), direct, direct.asReadOnlyBuffer()
        }) {
      ByteBuf buffer = kind.buffer(64).writerIndex(3);
      buffer.writeBytes(source);
      assertThat(source.hasRemaining()).isFalse();
      for (int i = 0; i < 30; i++) {
        assertThat(buffer.getByte(3 + i)).isEqualTo(bytes[5 + i]);
      }
      ByteBuffer target = ByteBuffer.allocateDirect(30);
      buffer.getBytes(3, target);
      assertThat(target.flip()).isEqualTo(wrapped);
      assertThatThrownBy(() -> buffer.getBytes(3, wrapped.asReadOnlyBuffer()))
          .isInstanceOf(ReadOnlyBufferException.class);
      buffer.release();
    }
  }

  @EveryKind
  void copiesWithReadOnlyNioBuffersOfItsOwnMemory(BufferKind kind) {
    byte[] bytes = bytes(BYTES);
    ByteBuf buffer = kind.of(bytes);
    buffer.setBytes(10, buffer.nioBuffer(0, BYTES - 10).asReadOnlyBuffer());
    System.arraycopy(bytes, 0, bytes, 10, BYTES - 10);
    assertThat(readable(buffer)).isEqualTo(bytes);
    buffer.release();
  }

  @EveryKind
  @Tag("needs-checks")
  void aRefusedNioTransferChangesNothing(BufferKind kind) {
    byte[] bytes = bytes(16);
    ByteBuf buffer = kind.of(bytes);
    ByteBuffer tooLong = ByteBuffer.allocate(17);
    assertThatThrownBy(() -> buffer.setBytes(0, tooLong))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.getBytes(0, tooLong))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.readBytes(tooLong))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(tooLong.position()).isZero();
    assertThat(buffer.readerIndex()).isZero();
    assertThat(readable(buffer)).isEqualTo(bytes);
    buffer.release();
  }

  @EveryKind
  void clearsOnlyTheGivenRange(BufferKind kind) {
    for (int length : new int[] {0, 1, 7, 8, 9, 63, 255, 256, 257, 1000}) {
      ByteBuf buffer = kind.buffer(length + 10).writerIndex(length + 10);
      for (int i = 0; i < length + 10; i++) {
        buffer.setByte(i, 77);
      }
      buffer.setZero(5, length);
      for (int i = 0; i < length + 10; i++) {
        boolean cleared = i >= 5 && i < length + 5;
        assertThat(buffer.getByte(i))
            .as("%s of %s", i, length)
            .isEqualTo((byte) (cleared ? 0 : 77));
      }
      buffer.release();
    }
  }

  @EveryKind
  void aStreamMayUseBuffersItself(BufferKind kind) throws IOException {
    byte[] bytes = bytes(BYTES);
    ByteBuf buffer = kind.of(bytes);
    ByteBuf other = kind.of(new byte[BYTES]);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    OutputStream nested =
        new OutputStream() {
          @Override
          public void write(int value) {
            throw new AssertionError("byte by byte");
          }

          @Override
          public void write(byte[] piece, int offset, int length) throws IOException {
            other.getBytes(0, OutputStream.nullOutputStream(), BYTES);
            written.write(piece, offset, length);
          }
        };
    buffer.getBytes(0, nested, BYTES);
    assertThat(written.toByteArray()).isEqualTo(bytes);
    other.release();
    buffer.release();
  }

  @EveryKind
  void readsAllBytesOfAStreamInOneCall(BufferKind kind) throws IOException {
    byte[] bytes = bytes(BYTES);
    ByteBuf buffer = kind.buffer(BYTES + 10);
    assertThat(buffer.setBytes(3, new ByteArrayInputStream(bytes), BYTES + 5)).isEqualTo(BYTES);
    assertThat(readable(buffer.setIndex(3, BYTES + 3))).isEqualTo(bytes);
    assertThat(buffer.setBytes(0, InputStream.nullInputStream(), 5)).isEqualTo(-1);
    buffer.release();
  }

  @EveryKind
  void readsAndWritesStreams(BufferKind kind) throws IOException {
    byte[] bytes = bytes(BYTES);
    ByteBuf buffer = kind.buffer(BYTES + 10);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    int left = BYTES;
    while (left > 0) {
      left -= buffer.writeBytes(in, left);
    }
    assertThat(buffer.writeBytes(in, 1)).isEqualTo(-1);
    assertThat(buffer.writerIndex()).isEqualTo(BYTES);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    buffer.readBytes(out, BYTES);
    assertThat(out.toByteArray()).isEqualTo(bytes);
    buffer.release();
  }

  @EveryKind
  void filesKeepTheirOwnPosition(BufferKind kind) throws IOException {
    byte[] bytes = bytes(BYTES);
    Path file = Files.createTempFile("bulk", ".bin");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuf buffer = kind.of(bytes);
      channel.position(3);
      assertThat(buffer.readBytes(channel, 100, BYTES)).isEqualTo(BYTES);
      assertThat(buffer.isReadable()).isFalse();
      assertThat(channel.position()).isEqualTo(3);
      buffer.clear().setZero(0, BYTES);
      assertThat(buffer.writeBytes(channel, 100, BYTES)).isEqualTo(BYTES);
      assertThat(channel.position()).isEqualTo(3);
      assertThat(readable(buffer)).isEqualTo(bytes);
      assertThat(buffer.clear().writeBytes(channel, 1 << 20, 5)).isEqualTo(-1);
      buffer.release();
    } finally {
      Files.delete(file);
    }
  }

  @EveryKind
  void aClosedFileGivesNoBytes(BufferKind kind) throws IOException {
    Path file = Files.createTempFile("closed", ".bin");
    FileChannel closed = FileChannel.open(file, StandardOpenOption.READ);
    closed.close();
    Files.delete(file);
    ByteBuf buffer = kind.buffer(8);
    assertThat(buffer.setBytes(0, closed, 0, 5)).isEqualTo(-1);
    assertThat(buffer.writeBytes(closed, 0, 5)).isEqualTo(-1);
    assertThat(buffer.writerIndex()).isZero();
    buffer.release();
  }

  @EveryKind
  void encodesAndDecodesText(BufferKind kind) {
    String text = "h\u00e4\u00df \u20ac \ud83d\ude00 \ud800x";
    ByteBuf buffer = kind.buffer(100);
    int written = buffer.writeCharSequence(text, StandardCharsets.UTF_8);
    byte[] expected = text.getBytes(StandardCharsets.UTF_8);
    assertThat(written).isEqualTo(expected.length);
    assertThat(readable(buffer)).isEqualTo(expected);
    assertThat(buffer.toString(StandardCharsets.UTF_8)).isEqualTo(text.replace('\ud800', '?'));
    assertThat(buffer.readCharSequence(5, StandardCharsets.UTF_8)).hasToString("h\u00e4\u00df");
    buffer.release();
  }

  @EveryKind
  @Tag("needs-checks")
  void refusesArraysThatAreTooShort(BufferKind kind) {
    ByteBuf buffer = kind.of(bytes(16));
    assertThatThrownBy(() -> buffer.getBytes(0, new byte[4], 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContainingAll("dstIndex: 2", "length: 3", "(0, 4)");
    assertThatThrownBy(() -> buffer.setBytes(0, new byte[4], -1, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.readBytes(new byte[17]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.getBytes(0, (byte[]) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> buffer.writeBytes(new byte[4], Integer.MAX_VALUE, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.readerIndex()).isZero();
    assertThat(buffer.writerIndex()).isEqualTo(16);
    buffer.release();
  }

  @EveryKind(without = Trait.SCATTERED)
  void itsMemoryHoldsItsBytes(BufferKind kind) {
    ByteBuf buffer = kind.of(bytes(16));
    assertThat(buffer.hasArray()).isNotEqualTo(buffer.hasMemoryAddress());
    assertThat(buffer.isDirect()).isEqualTo(kind.is(Trait.DIRECT));
    if (buffer.hasArray()) {
      assertThat(buffer.array()[buffer.arrayOffset() + 5]).isEqualTo(buffer.getByte(5));
      assertThatThrownBy(buffer::memoryAddress).isInstanceOf(UnsupportedOperationException.class);
    } else {
      assertThat(buffer.memoryAddress()).isNotZero();
      assertThatThrownBy(buffer::array).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(buffer::arrayOffset).isInstanceOf(UnsupportedOperationException.class);
    }
    ByteBuffer view = buffer.nioBuffer(4, 8);
    assertThat(view.remaining()).isEqualTo(8);
    view.put(0, (byte) 77);
    assertThat(buffer.getByte(4)).isEqualTo((byte) 77);
    assertThat(buffer.nioBufferCount()).isEqualTo(1);
    assertThat(buffer.nioBuffers()).hasSize(1);
    buffer.release();
  }
}

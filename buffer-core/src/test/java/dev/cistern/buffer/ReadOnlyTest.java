/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import dev.cistern.util.IllegalReferenceCountException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Tests that a read-only view, and every buffer made of it, refuses every write. */
@Tag("B10")
class ReadOnlyTest {
  private static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

  private static List<ByteBuf> views(ByteBuf readOnly) {
    return List.of(
        readOnly,
        readOnly.slice(0, 12),
        readOnly.duplicate(),
        readOnly.slice(0, 12).duplicate().slice(),
        readOnly.duplicate().asReadOnly());
  }

  private static Object argument(Class<?> type) throws Exception {
    if (type == int.class) {
      return 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == float.class) {
      return 1F;
    } else if (type == double.class) {
      return 1D;
    } else if (type == boolean.class) {
      return true;
    } else if (type == byte[].class) {
      return new byte[2];
    } else if (type == ByteBuf.class) {
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(2).writeZero(2);
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(2);
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[2]);
    } else if (type == CharSequence.class) {
      return "ab";
    } else if (type == Charset.class) {
      return StandardCharsets.US_ASCII;
    }
    Path file = Files.createTempFile("read-only", ".bin");
    Files.write(file, new byte[4]);
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static List<Method> writers() {
    List<Method> writers = new ArrayList<>();
    for (Method method : ByteBuf.class.getMethods()) {
      String name = method.getName();
      boolean writes = name.startsWith("set") || name.startsWith("write");
      if (writes
          && !name.endsWith("Index")
          && !name.equals("writableBytes")
          && !method.isBridge()) {
        writers.add(method);
      }
    }
    assertThat(writers).hasSizeGreaterThan(50);
    return writers;
  }

  @EveryKind
  void refusesEveryWriteAndStaysAsItWas(BufferKind kind) throws Exception {
    ByteBuf buffer = kind.of(BYTES);
    for (ByteBuf view : views(buffer.asReadOnly())) {
      view.setIndex(1, 3); // which leaves room to write
      for (Method writer : writers()) {
        Object[] arguments = new Object[writer.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = argument(writer.getParameterTypes()[i]);
        }
        String call = writer + " on " + view;
        assertThatThrownBy(() -> writer.invoke(view, arguments))
            .as(call)
            .hasRootCauseInstanceOf(ReadOnlyBufferException.class);
        assertThat(view.readerIndex()).as(call).isEqualTo(1);
        assertThat(view.writerIndex()).as(call).isEqualTo(3);
        for (Object argument : arguments) {
          if (argument instanceof FileChannel channel) {
            channel.close();
          }
        }
      }
    }
    byte[] after = new byte[BYTES.length];
    buffer.getBytes(0, after).release();
    assertThat(after).isEqualTo(BYTES);
  }

  @EveryKind
  void cannotBeChangedOtherwise(BufferKind kind) {
    ByteBuf buffer = kind.of(BYTES);
    for (ByteBuf view : views(buffer.asReadOnly())) {
      assertThat(view.isReadOnly()).isTrue();
      assertThat(view.asReadOnly()).isSameAs(view);
      assertThat(view.isWritable()).isFalse();
      assertThat(view.isWritable(0)).isFalse();
      assertThat(view.ensureWritable(1, true)).isEqualTo(1);
      assertThatThrownBy(() -> view.ensureWritable(0)).isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(() -> view.capacity(4)).isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(() -> view.readerIndex(1).discardReadBytes())
          .isInstanceOf(ReadOnlyBufferException.class);
      assertThat(view.hasArray()).isFalse();
      assertThatThrownBy(view::array).isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(view::arrayOffset).isInstanceOf(ReadOnlyBufferException.class);
      ByteBuf source = kind.of((byte) 1);
      assertThatThrownBy(() -> source.getBytes(0, view, 0, 1))
          .isInstanceOf(ReadOnlyBufferException.class);
      assertThatThrownBy(() -> source.readBytes(view, 0, 1))
          .isInstanceOf(ReadOnlyBufferException.class);
      assertThat(source.readerIndex()).isZero();
      source.release();
    }
    buffer.release();
  }

  @EveryKind(without = Trait.SCATTERED)
  void nioBuffersAreReadOnlyAndEndWithTheRange(BufferKind kind) {
    ByteBuf buffer = kind.of(BYTES);
    for (ByteBuf view : views(buffer.asReadOnly())) {
      for (ByteBuffer nio :
          List.of(view.nioBuffer(3, 5), view.internalNioBuffer(3, 5), view.nioBuffers(3, 5)[0])) {
        assertThat(nio.isReadOnly()).isTrue();
        assertThat(nio.remaining()).isEqualTo(5);
        byte[] shown = new byte[5];
        nio.get(shown);
        assertThat(shown).isEqualTo(Arrays.copyOfRange(BYTES, 3, 8));
      }
    }
    buffer.release();
  }

  @EveryKind(without = {Trait.UNCOUNTED, Trait.SCATTERED})
  void sharesTheBytesAndTheCountOfTheBuffer(BufferKind kind) {
    ByteBuf buffer = kind.of(BYTES);
    buffer.readerIndex(2);
    ByteBuf view = buffer.asReadOnly();
    assertThat(view.readerIndex()).isEqualTo(2);
    assertThat(view).isEqualTo(buffer);
    buffer.setByte(4, 99);
    assertThat(view.getByte(4)).isEqualTo((byte) 99);
    assertThat(view.readSlice(3).isReadOnly()).isTrue();
    assertThat(view.hasMemoryAddress()).isEqualTo(kind.is(Trait.DIRECT));
    ByteBuf copy = view.copy();
    assertThat(copy.isReadOnly()).isFalse();
    copy.release();
    ByteBuf retained = view.readRetainedSlice(2);
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(retained.isReadOnly()).isTrue();
    retained.release();
    assertThat(buffer.release()).isTrue();
    assertThatThrownBy(() -> view.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
  }

  @EveryKind(without = {Trait.UNCOUNTED, Trait.SCATTERED})
  void hasNoRoomBeyondItsCapacity(BufferKind kind) {
    ByteBuf buffer = kind.of(BYTES);
    ByteBuf view = buffer.asReadOnly();
    assertThat(view.maxFastWritableBytes()).isEqualTo(view.writableBytes());
    buffer.release();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.AsciiString;
import dev.cistern.util.IllegalReferenceCountException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests with a composite one of whose components is read-only, or was released or shrunk by other
 * code. A call that needs the component fails. It does not change the composite, its other
 * components, other buffers, or the target of the call.
 */
@Tag("C3")
@Tag("needs-checks")
class CompositeByteBufRefusingComponentTest {
  private static final int SIDE_BYTES = 7;
  private static final int MIDDLE_BYTES = 40;
  private static final int LENGTH = 20;
  private static final int SLOT_BYTES = 16;
  private static final int NEIGHBOURS = 8;
  private static final int LARGE_BYTES = 10_000;

  /** The composite, or a view or composite of it, that the calls use. */
  enum Shape {
    COMPOSITE(composite -> composite),
    SLICE(composite -> composite.slice(0, composite.capacity())),
    DUPLICATE(ByteBuf::duplicate),
    COMPOSITE_OF_ONE(
        composite ->
            new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4).addComponent(true, composite)),
    COMPOSITE_OF_TWO(
        composite -> {
          ByteBuf rest = composite.retainedSlice(9, composite.capacity() - 9);
          return new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
              .addComponents(true, composite.writerIndex(9), rest);
        });

    @SuppressWarnings("ImmutableEnumChecker") // a function
    private final Function<ByteBuf, ByteBuf> made;

    Shape(Function<ByteBuf, ByteBuf> made) {
      this.made = made;
    }
  }

  @TempDir private Path directory;

  private final ByteBuf before = filled(SIDE_BYTES);
  private final ByteBuf middle = filled(MIDDLE_BYTES);
  private final ByteBuf after = filled(SIDE_BYTES);

  /** Buffers that a refused call must not change. */
  private final List<ByteBuf> untouched = new ArrayList<>(List.of(before, middle, after));

  private static ByteBuf filled(int bytes) {
    ByteBuf buffer = TestAllocators.UNPOOLED.directBuffer(bytes);
    for (int i = 0; i < bytes; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  private ByteBuf composite(Shape shape, ByteBuf refusing) {
    ByteBuf composite =
        new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
            .addComponents(true, before, refusing, after);
    return shape.made.apply(composite);
  }

  /**
   * Returns the arguments of a call. The first number is the index if the method takes one,
   * otherwise a length.
   */
  private Object[] arguments(Method method, int index) throws Exception {
    boolean hasIndex = method.getName().matches("(get|set).*");
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] =
          types[i] == int.class ? (i == 0 && hasIndex ? index : LENGTH) : argument(types[i]);
    }
    return arguments;
  }

  private Object argument(Class<?> type) throws Exception {
    if (type == long.class) {
      return 1L;
    } else if (type == float.class) {
      return 1F;
    } else if (type == double.class) {
      return 1D;
    } else if (type == boolean.class) {
      return true;
    } else if (type == byte[].class) {
      return new byte[2 * LENGTH];
    } else if (type == ByteBuf.class) {
      // It has as many readable bytes as room.
      return Unpooled.buffer(2 * LENGTH, 2 * LENGTH).writeZero(LENGTH);
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(LENGTH);
    } else if (type == InputStream.class) {
      return new ByteArrayInputStream(new byte[LENGTH]);
    } else if (type == OutputStream.class) {
      return new ByteArrayOutputStream();
    } else if (type == CharSequence.class) {
      return CharBuffer.wrap("x".repeat(LENGTH));
    } else if (type == Charset.class) {
      return StandardCharsets.UTF_8;
    } else if (type == FileChannel.class) {
      Path file = directory.resolve("file");
      Files.write(file, new byte[LENGTH]);
      return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    assertThat(type).isIn(GatheringByteChannel.class, ScatteringByteChannel.class);
    return new MemoryChannel(new byte[LENGTH]);
  }

  /** Returns the state that a refused call must not change. */
  private String state(ByteBuf composite, Object[] arguments) {
    StringBuilder state = new StringBuilder();
    for (ByteBuf part : untouched) {
      state.append(part.refCnt());
      for (int i = 0; i < part.capacity() && part.refCnt() > 0; i++) {
        state.append(',').append(part.getByte(i));
      }
    }
    state.append(composite.readerIndex()).append('/').append(composite.writerIndex());
    state.append('/').append(composite.capacity());
    if (composite instanceof CompositeByteBuf whole) {
      state.append('/').append(whole.numComponents());
    }
    for (Object argument : arguments) {
      if (argument instanceof byte[] array) {
        state.append(Arrays.toString(array));
      } else if (argument instanceof ByteBuf buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        state.append(buffer).append(Arrays.toString(bytes));
      } else if (argument instanceof ByteBuffer buffer) {
        state.append(buffer).append(buffer.duplicate().clear().hashCode());
      } else if (argument instanceof ByteArrayOutputStream out) {
        state.append(out.size());
      } else if (argument instanceof ByteArrayInputStream in) {
        state.append(in.available());
      }
    }
    return state.toString();
  }

  private static String name(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  /** Makes the calls that reach the component at its start, or that begin before it. */
  private void eachRefuses(
      ByteBuf composite, String names, Class<? extends Throwable> expected, int least)
      throws Exception {
    Set<String> wrong = new TreeSet<>();
    int called = 0;
    for (Method method : ByteBuf.class.getMethods()) {
      if (!method.getName().matches(names) || method.isBridge()) {
        continue;
      }
      boolean isOfOneByte =
          method.getName().matches("(get|set|read|write)(UnsignedByte|Byte|Boolean)");
      for (int index = isOfOneByte ? SIDE_BYTES : SIDE_BYTES - 1; index <= SIDE_BYTES; index++) {
        composite.setIndex(index, names.contains("write") ? index : composite.capacity());
        Object[] arguments = arguments(method, index);
        String state = state(composite, arguments);
        Throwable thrown = MethodPair.call(method, composite, arguments).thrown();
        called++;
        if (!expected.isInstance(thrown) || !state(composite, arguments).equals(state)) {
          wrong.add(name(method) + " at " + index + ": " + thrown);
        }
        for (Object argument : arguments) {
          if (argument instanceof FileChannel channel) {
            channel.close();
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(called).isGreaterThan(least);
  }

  private static final String WRITES = "(set|write)(?!Index|rIndex|ableBytes).*";
  private static final String READS = "(get|read)(?!Class|Slice|RetainedSlice|erIndex|able).*";

  @ParameterizedTest
  @EnumSource
  @Tag("B10")
  void aReadOnlyComponentAndTheRestAreNotWritten(Shape shape) throws Exception {
    ByteBuf composite = composite(shape, middle.asReadOnly());
    eachRefuses(composite, WRITES, ReadOnlyBufferException.class, 90);
    composite.release();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("B4")
  void aReleasedComponentAndTheRestAreNotWritten(Shape shape) throws Exception {
    ByteBuf composite = composite(shape, middle);
    middle.release();
    eachRefuses(composite, WRITES, IllegalReferenceCountException.class, 90);
    before.release();
    after.release();
  }

  @ParameterizedTest
  @EnumSource
  void aTextIsWrittenWhollyOrNotAtAll(Shape shape) {
    ByteBuf composite = composite(shape, middle.asReadOnly());
    String text = "x".repeat(LENGTH / 2);
    composite.setIndex(0, SIDE_BYTES - 1);
    String state = state(composite, new Object[0]);
    for (CharSequence form : List.of(text, CharBuffer.wrap(text), AsciiString.of(text))) {
      List<Runnable> writes =
          List.of(
              () -> ByteBufUtil.writeAscii(composite, form),
              () -> ByteBufUtil.writeUtf8(composite, form),
              () -> composite.writeCharSequence(form, StandardCharsets.US_ASCII));
      for (Runnable write : writes) {
        assertThatThrownBy(write::run).isInstanceOf(ReadOnlyBufferException.class);
        assertThat(state(composite, new Object[0])).isEqualTo(state);
      }
    }
    composite.release();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("B4")
  void aReleasedComponentAndTheRestAreNotRead(Shape shape) throws Exception {
    ByteBuf composite = composite(shape, middle);
    middle.release();
    eachRefuses(composite, READS, IllegalReferenceCountException.class, 90);
    before.release();
    after.release();
  }

  /**
   * Returns a composite whose only component is an array buffer that was shrunk to a small slot.
   */
  private ByteBuf shrunk(Shape shape) {
    ByteBuf only = TestAllocators.POOLED.heapBuffer(LARGE_BYTES).writeZero(LARGE_BYTES);
    ByteBuf composite =
        shape.made.apply(
            new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4).addComponent(true, only));
    for (int i = 0; i < NEIGHBOURS; i++) {
      untouched.add(filledSlot());
      if (i == NEIGHBOURS / 2) {
        only.capacity(SIDE_BYTES - 1);
        untouched.add(only);
      }
    }
    return composite;
  }

  /** Returns a slot without zeros, because most calls would write zeros. */
  private static ByteBuf filledSlot() {
    ByteBuf slot = TestAllocators.POOLED.heapBuffer(SLOT_BYTES);
    while (slot.isWritable()) {
      slot.writeByte(0x5A);
    }
    return slot;
  }

  private void release(ByteBuf composite) {
    composite.release();
    for (ByteBuf buffer : untouched) {
      if (buffer.refCnt() > 0) {
        buffer.release();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSingleComponentThatShrankAndItsNeighboursAreNotWritten(Shape shape) throws Exception {
    ByteBuf composite = shrunk(shape);
    eachRefuses(composite, WRITES, IndexOutOfBoundsException.class, 90);
    release(composite);
  }

  @ParameterizedTest
  @EnumSource
  void aSingleComponentThatShrankAndItsNeighboursAreNotRead(Shape shape) throws Exception {
    ByteBuf composite = shrunk(shape);
    eachRefuses(composite, READS, IndexOutOfBoundsException.class, 90);
    release(composite);
  }

  @Test
  @Tag("B4")
  void aStreamGetsNothingIfALaterComponentRefuses() {
    ByteBuf first = TestAllocators.UNPOOLED.heapBuffer(LARGE_BYTES).writeZero(LARGE_BYTES);
    CompositeByteBuf composite =
        new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4).addComponents(true, first, middle);
    middle.release();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThatThrownBy(() -> composite.readBytes(out, composite.readableBytes()))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(out.size()).isZero();
    assertThat(composite.readerIndex()).isZero();
    first.release();
    before.release();
    after.release();
  }

  @Test
  void aWriteRefusedAfterGrowthWritesNothing() {
    CompositeByteBuf composite =
        new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
            .addComponents(true, before, middle.asReadOnly());
    int end = composite.writerIndex();
    composite.writerIndex(end - 2);
    assertThatThrownBy(() -> composite.writeInt(-1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThat(composite.writerIndex()).isEqualTo(end - 2);
    assertThat(middle.getByte(MIDDLE_BYTES - 1)).isEqualTo((byte) (MIDDLE_BYTES - 1));
    assertThat(composite.capacity()).isGreaterThan(end); // the call makes room first
    for (int i = end; i < composite.capacity(); i++) {
      assertThat(composite.getByte(i)).isZero();
    }
    composite.release();
    after.release();
  }

  @Test
  void anEmptyComponentRefusesNothing() throws Exception {
    ByteBuf empty = TestAllocators.UNPOOLED.heapBuffer(1);
    CompositeByteBuf composite =
        new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
            .addComponents(true, before, empty, after);
    empty.release();
    composite.setInt(SIDE_BYTES - 2, 0x01020304);
    assertThat(composite.getInt(SIDE_BYTES - 2)).isEqualTo(0x01020304);
    byte[] bytes = new byte[2 * SIDE_BYTES];
    composite.getBytes(0, bytes).setBytes(0, bytes);
    composite.getBytes(0, Unpooled.buffer(2 * SIDE_BYTES), 0, 2 * SIDE_BYTES);
    composite.getBytes(0, OutputStream.nullOutputStream(), 2 * SIDE_BYTES);
    assertThat(composite.setBytes(0, new ByteArrayInputStream(bytes), bytes.length))
        .isEqualTo(bytes.length);
    assertThat(composite.indexOf(0, bytes.length, (byte) 77)).isEqualTo(-1);
    assertThat(composite.forEachByte(value -> value != 77)).isEqualTo(-1);
    assertThat(composite.forEachByteDesc(value -> value != 77)).isEqualTo(-1);
    assertThat(composite.setZero(0, bytes.length).getLong(3)).isZero();
    before.release();
    middle.release();
    after.release();
  }

  @Test
  void anEmptyReadOnlyComponentBlocksNoChannel(@TempDir Path directory) throws Exception {
    ByteBuf nothing = TestAllocators.UNPOOLED.directBuffer(1).asReadOnly();
    CompositeByteBuf composite =
        new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
            .addComponents(true, before, nothing, after);
    Path file = Files.write(directory.resolve("bytes"), new byte[2 * SIDE_BYTES]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      assertThat(composite.setBytes(0, channel, 0, 2 * SIDE_BYTES)).isEqualTo(2 * SIDE_BYTES);
      assertThat(composite.setBytes(0, channel, 2 * SIDE_BYTES)).isEqualTo(2 * SIDE_BYTES);
    }
    assertThat(composite.nioBuffers()).hasSize(2);
    composite.release();
    middle.release();
  }
}

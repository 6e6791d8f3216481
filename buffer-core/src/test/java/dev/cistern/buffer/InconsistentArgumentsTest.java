/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.CharsetUtil;
import dev.cistern.util.IllegalReferenceCountException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with arguments that report wrong values, or that change the buffer during a call. Such a
 * call fails with an exception, and accesses no memory outside of the buffer.
 */
@Tag("B4")
@Tag("needs-checks")
@Tag("D3")
@ExtendWith(PoolCheck.class)
class InconsistentArgumentsTest {
  private static final int LARGE = 64 * 1024;

  /** A text of any length whose characters a function returns. */
  private record Characters(int length, IntUnaryOperator at) implements CharSequence {
    @Override
    public char charAt(int index) {
      return (char) at.applyAsInt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Characters(end - start, i -> at.applyAsInt(start + i));
    }

    @Override
    public String toString() {
      return "characters";
    }
  }

  /** Fails a reader of a text whose end it would not reach before memory runs out. */
  private static int never(int index) {
    throw new AssertionError("character " + index + " of a text that cannot be");
  }

  private static Characters ofLength(int length) {
    return new Characters(length, InconsistentArgumentsTest::never);
  }

  /** Returns kinds of buffers that are not views. */
  static Stream<Named<IntFunction<ByteBuf>>> roots() {
    Stream<Named<IntFunction<ByteBuf>>> memory =
        Stream.of(
                BufferKind.POOLED_DIRECT,
                BufferKind.POOLED_HEAP,
                BufferKind.UNCACHED_DIRECT,
                BufferKind.UNPOOLED_DIRECT,
                BufferKind.UNPOOLED_HEAP)
            .map(kind -> Named.of(kind.name(), kind::buffer));
    return Stream.concat(
        memory,
        Stream.of(
            Named.of("composite of one", bytes -> joined(zeroes(bytes))),
            Named.of("composite of three", InconsistentArgumentsTest::three),
            Named.of(
                "composite of composites", bytes -> joined(three(bytes / 2), three(bytes / 2)))));
  }

  private static ByteBuf zeroes(int bytes) {
    return TestAllocators.POOLED.directBuffer(bytes).writeZero(bytes);
  }

  /** Returns a composite of three buffers, one of which is empty. */
  private static ByteBuf three(int bytes) {
    ByteBuf last = TestAllocators.POOLED.heapBuffer(bytes).writeZero(bytes);
    return joined(zeroes(bytes / 3), zeroes(0), last.slice(bytes / 3, bytes - bytes / 3))
        .writerIndex(bytes);
  }

  private static CompositeByteBuf joined(ByteBuf... components) {
    return new CompositeByteBuf(TestAllocators.POOLED, true, 8).addComponents(components);
  }

  private static ByteBuf large(IntFunction<ByteBuf> kind) {
    return kind.apply(LARGE).writerIndex(LARGE);
  }

  @ParameterizedTest
  @MethodSource("roots")
  void textsOfNoPossibleLengthAreRefused(IntFunction<ByteBuf> kind) {
    ByteBuf buffer = kind.apply(100);
    buffer.clear();
    for (int length : new int[] {Integer.MAX_VALUE, 1 << 30, -1, Integer.MIN_VALUE}) {
      Characters text = ofLength(length);
      assertThatThrownBy(() -> ByteBufUtil.reserveAndWriteUtf8(buffer, text, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> buffer.writeCharSequence(text, CharsetUtil.UTF_8))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> ByteBufUtil.utf8Bytes(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(buffer.writerIndex()).isZero();
    buffer.release();
  }

  @Test
  void aTextThatFailsLeavesNoBufferBehind() {
    Characters text = new Characters(5, InconsistentArgumentsTest::never);
    List<ByteBuf> made = new ArrayList<>();
    ByteBufAllocator noting =
        new AbstractByteBufAllocator() {
          @Override
          protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            made.add(UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity));
            return made.get(made.size() - 1);
          }

          @Override
          protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return newHeapBuffer(initialCapacity, maxCapacity);
          }

          @Override
          public boolean isDirectBufferPooled() {
            return false;
          }
        };
    assertThatThrownBy(() -> ByteBufUtil.writeUtf8(noting, text))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> ByteBufUtil.writeAscii(noting, text))
        .isInstanceOf(AssertionError.class);
    assertThat(made).hasSize(2).allMatch(buffer -> buffer.refCnt() == 0);
  }

  @ParameterizedTest
  @MethodSource("roots")
  void aTextThatReleasesTheBufferIsNotWritten(IntFunction<ByteBuf> kind) {
    ByteBuf ascii = large(kind).clear();
    Characters text =
        new Characters(
            100,
            i -> {
              if (i == 50) {
                ascii.release();
              }
              return 'a';
            });
    assertThatThrownBy(() -> ByteBufUtil.writeAscii(ascii, text))
        .isInstanceOf(IllegalReferenceCountException.class);
  }

  @ParameterizedTest
  @MethodSource("roots")
  void aTextThatShrinksTheBufferIsNotWritten(IntFunction<ByteBuf> kind) {
    ByteBuf buffer = large(kind).setIndex(LARGE / 2, LARGE / 2);
    Characters text =
        new Characters(
            100,
            i -> {
              buffer.capacity(16);
              return 'a';
            });
    assertThatThrownBy(() -> ByteBufUtil.writeAscii(buffer, text))
        .isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @ParameterizedTest
  @MethodSource("roots")
  void aSearchThatShrinksOrReleasesTheBufferEnds(IntFunction<ByteBuf> kind) {
    ByteBuf shrunk = large(kind);
    assertThatThrownBy(() -> shrunk.forEachByte(value -> shrunk.capacity(16) != null))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ByteBuf downwards = large(kind).setIndex(0, LARGE);
    assertThatThrownBy(() -> downwards.forEachByteDesc(value -> downwards.capacity(16) != null))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ByteBuf view = large(kind);
    assertThatThrownBy(() -> view.slice(7, 100).forEachByte(value -> view.release()))
        .isInstanceOf(IllegalReferenceCountException.class);
    shrunk.release();
    downwards.release();
  }

  private static InputStream claiming(int read) {
    return new InputStream() {
      @Override
      public int read() {
        return -1;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        return read;
      }
    };
  }

  @ParameterizedTest
  @MethodSource("roots")
  void aStreamThatClaimsToHaveReadMoreMovesNothing(IntFunction<ByteBuf> kind) {
    ByteBuf buffer = kind.apply(100).setIndex(0, 10);
    for (int claimed : new int[] {6, 20, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> buffer.writeBytes(claiming(claimed), 5))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> buffer.setBytes(0, claiming(claimed), 5))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(buffer.writerIndex()).isEqualTo(10);
    }
    buffer.release();
  }

  /** A channel that accepts no bytes, but reports another number. */
  private record Claiming(int written) implements GatheringByteChannel {
    @Override
    public int write(ByteBuffer source) {
      return written;
    }

    @Override
    public long write(ByteBuffer[] sources) {
      return written;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      return written;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @MethodSource("roots")
  void aChannelThatClaimsToHaveTakenOtherBytesMovesNothing(IntFunction<ByteBuf> kind)
      throws IOException {
    ByteBuf buffer = kind.apply(100).setIndex(10, 20);
    for (int written : new int[] {6, 11, -1, -5, -11, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> buffer.readBytes(new Claiming(written), 5))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(buffer.readerIndex()).isEqualTo(10);
    }
    assertThat(buffer.readBytes(new Claiming(3), 5)).isEqualTo(3);
    buffer.release();
  }

  /** Buffer that allocates less memory than requested. */
  private static final class ShortArray extends UnpooledHeapByteBuf {
    ShortArray(int capacity) {
      super(UnpooledByteBufAllocator.DEFAULT, capacity, 100);
    }

    @Override
    protected byte[] allocateArray(int initialCapacity) {
      return new byte[Math.min(initialCapacity, 10)];
    }
  }

  private static final class ShortDirect extends UnpooledDirectByteBuf {
    ShortDirect(int capacity) {
      super(UnpooledByteBufAllocator.DEFAULT, capacity, 100);
    }

    @Override
    protected ByteBuffer allocateDirect(int initialCapacity) {
      return ByteBuffer.allocateDirect(Math.min(initialCapacity, 10));
    }
  }

  /** Buffer that does not grow. */
  private static final class Stiff extends UnpooledHeapByteBuf {
    Stiff() {
      super(UnpooledByteBufAllocator.DEFAULT, 10, 100);
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
      return this;
    }
  }

  @Test
  void subclassesThatMakeTooLittleMemoryAreRefused() {
    assertThatThrownBy(() -> new ShortArray(11)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new ShortDirect(11)).isInstanceOf(IllegalStateException.class);
    for (ByteBuf buffer : new ByteBuf[] {new ShortArray(10), new ShortDirect(10)}) {
      assertThatThrownBy(() -> buffer.capacity(11)).isInstanceOf(IllegalStateException.class);
      assertThat(buffer.capacity()).isEqualTo(10);
      buffer.release();
    }
  }

  @Test
  void aSubclassThatDoesNotGrowIsNotWrittenBeyond() {
    ByteBuf buffer = new Stiff().writeZero(10);
    assertThatThrownBy(() -> buffer.writeLong(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.writeBytes(new byte[20]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.writerIndex()).isEqualTo(10);
    buffer.release();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.IllegalReferenceCountException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that no memory that a read-only buffer exposes is writable. */
@Tag("B10")
@SuppressWarnings("deprecation") // order() is deprecated
class ReadOnlyMemoryTest {
  private static ByteBuf plain() {
    return Unpooled.copyInt(1, 2, 3);
  }

  private static ByteBuf composite() {
    return new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
        .addComponents(true, plain(), Unpooled.directBuffer(8).writeLong(7));
  }

  /** The ways to make a read-only buffer. */
  enum Kind {
    VIEW(() -> plain().asReadOnly()),
    VIEW_OF_DIRECT(() -> Unpooled.directBuffer(8).writeLong(7).asReadOnly()),
    VIEW_OF_COMPOSITE(() -> composite().asReadOnly()),
    COMPOSITE_OF_VIEW(
        () ->
            new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
                .addComponent(true, plain().asReadOnly())),
    FIXED_COMPOSITE(() -> Unpooled.wrappedUnmodifiableBuffer(plain(), plain())),
    WRAPPED_HEAP_NIO(() -> Unpooled.wrappedBuffer(ByteBuffer.allocate(8).asReadOnlyBuffer())),
    WRAPPED_DIRECT_NIO(
        () -> Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(8).asReadOnlyBuffer()));

    @SuppressWarnings("ImmutableEnumChecker") // a function
    private final Supplier<ByteBuf> made;

    Kind(Supplier<ByteBuf> made) {
      this.made = made;
    }
  }

  private static List<ByteBuf> views(ByteBuf buffer) {
    return List.of(
        buffer,
        buffer.slice(1, 5),
        buffer.duplicate(),
        buffer.order(ByteOrder.LITTLE_ENDIAN),
        buffer.slice(1, 6).duplicate().slice(0, 5),
        buffer.asReadOnly());
  }

  @ParameterizedTest
  @EnumSource
  void nioBuffersAndArraysCannotBeWritten(Kind kind) {
    ByteBuf buffer = kind.made.get();
    for (ByteBuf view : views(buffer)) {
      List<ByteBuffer> handedOut = new ArrayList<>(List.of(view.nioBuffers(0, 5)));
      handedOut.add(view.nioBuffer(0, 5));
      if (view.nioBufferCount() == 1) {
        handedOut.add(view.internalNioBuffer(0, 5));
      }
      assertThat(handedOut).allMatch(ByteBuffer::isReadOnly);
      assertThat(view.hasArray()).isFalse();
      assertThatThrownBy(view::array)
          .isInstanceOfAny(ReadOnlyBufferException.class, UnsupportedOperationException.class);
    }
    assertThat(buffer.release()).isTrue();
  }

  @Test
  @Tag("C4")
  void anEmptyRangeOfAFixedCompositeHasNoNioBuffers() {
    ByteBuf fixed = Unpooled.wrappedUnmodifiableBuffer(plain(), plain());
    assertThat(fixed.nioBuffers(3, 0)).isEmpty();
    assertThat(fixed.nioBuffer(3, 0).remaining()).isZero();
    assertThatThrownBy(() -> fixed.nioBuffers(25, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    fixed.release();
  }

  /** Tests the order of Netty's checks: the release, the size, and the read-only state. */
  @Test
  @Tag("C4")
  @Tag("needs-checks")
  void onlyAReadOnlyViewAcceptsANegativeRoom() {
    ByteBuf fixed = Unpooled.wrappedUnmodifiableBuffer(plain(), plain());
    List<ByteBuf> views =
        List.of(fixed, fixed.slice(1, 5), fixed.duplicate(), fixed.order(ByteOrder.LITTLE_ENDIAN));
    ByteBuf readOnly = fixed.asReadOnly();
    for (ByteBuf view : views) {
      assertThat(view.ensureWritable(0, true)).isEqualTo(1);
      assertThat(view.ensureWritable(100, true)).isEqualTo(1);
      assertThatThrownBy(() -> view.ensureWritable(-1, true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-1");
    }
    assertThat(readOnly.ensureWritable(-1, true)).isEqualTo(1);
    fixed.release();
    for (ByteBuf view : views) {
      assertThatThrownBy(() -> view.ensureWritable(-1, true))
          .isInstanceOf(IllegalReferenceCountException.class);
    }
    assertThat(readOnly.ensureWritable(-1, true)).isEqualTo(1);
  }

  /** Tests the buffer of a mapped read-only file, to which a write would crash the JVM. */
  @Test
  void aReadOnlyFileCannotBeWrittenThroughItsWrappedBuffer(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("file");
    Files.write(file, new byte[100]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuf buffer = Unpooled.wrappedBuffer(channel.map(FileChannel.MapMode.READ_ONLY, 0, 100));
      for (ByteBuf view : views(buffer)) {
        for (ByteBuf inner = view; inner != null; inner = inner.unwrap()) {
          assertThat(inner.isReadOnly()).as("%s", inner).isTrue();
        }
      }
      buffer.release();
    }
  }
}

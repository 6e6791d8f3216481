/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests with buffers of foreign code, or subclasses of Cistern's: their actions during a call must
 * not make Cistern access memory that the buffer no longer owns.
 */
@Tag("B4")
@Tag("needs-checks")
class ForeignBufferTest {
  private static final int LENGTH = 64;

  private final byte[] array = filled((byte) 1);
  private final ByteBuf ours = Unpooled.wrappedBuffer(array);
  private final ForeignByteBuf foreign = new ForeignByteBuf(LENGTH);

  private static byte[] filled(byte value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, value);
    return bytes;
  }

  /** Returns views and composites of a foreign buffer. */
  static Stream<Named<Function<ByteBuf, ByteBuf>>> ways() {
    return Stream.of(
        Named.of("itself", buffer -> buffer),
        Named.of("slice", ByteBuf::slice),
        Named.of("swapped", ForeignBufferTest::swapped),
        Named.of("unreleasable", Unpooled::unreleasableBuffer),
        Named.of("composite of one", ForeignBufferTest::joined),
        Named.of("composite of three", ForeignBufferTest::between),
        Named.of("slice of a composite", buffer -> between(buffer).slice()));
  }

  @SuppressWarnings("deprecation")
  private static ByteBuf swapped(ByteBuf buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuf joined(ByteBuf... buffers) {
    return new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, false, 8, buffers);
  }

  private static ByteBuf between(ByteBuf buffer) {
    return joined(Unpooled.copyLong(0), buffer.slice(0, LENGTH - 16), Unpooled.copyLong(0));
  }

  /** Releases the buffer during a call, and lets a later owner overwrite its memory. */
  private void release() {
    ours.release();
    Arrays.fill(array, (byte) 2);
  }

  private void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(array).isEqualTo(filled((byte) 2));
  }

  /** Asserts that the target gets the original bytes of the source, or that the call is refused. */
  private void assertNothingOfALaterOwner(ThrowingCallable copy) {
    try {
      copy.call();
      assertThat(foreign.array()).contains(1);
    } catch (Throwable refused) {
      assertThat(refused).isInstanceOf(IllegalReferenceCountException.class);
    }
    assertThat(ours.refCnt()).isZero();
    assertThat(foreign.array()).doesNotContain(2);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aSourceThatReleasesTheTarget(Function<ByteBuf, ByteBuf> way) {
    ByteBuf source = way.apply(foreign);
    foreign.beforeByte = this::release;
    assertRefused(() -> ours.setBytes(0, source, 0, LENGTH));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aSourceThatReleasesTheTargetInItsOwnCall(Function<ByteBuf, ByteBuf> way) {
    ByteBuf source = way.apply(foreign);
    foreign.beforeByte = this::release;
    assertRefused(() -> source.getBytes(0, ours, 0, LENGTH));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aTargetThatReleasesTheSource(Function<ByteBuf, ByteBuf> way) {
    ByteBuf target = way.apply(foreign);
    foreign.beforeByte = this::release;
    assertNothingOfALaterOwner(() -> ours.getBytes(0, target, 0, LENGTH));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aTargetThatReleasesTheSourceInItsOwnCall(Function<ByteBuf, ByteBuf> way) {
    ByteBuf target = way.apply(foreign);
    foreign.beforeByte = this::release;
    assertNothingOfALaterOwner(() -> target.setBytes(0, ours, 0, LENGTH));
  }

  @Test
  void aSourceWhoseCapacityCallReleasesTheTarget() {
    foreign.beforeCapacity = this::release;
    assertRefused(() -> ours.setBytes(0, foreign, 0, LENGTH));
  }

  @Test
  void aTargetWhoseCapacityCallReleasesTheSource() {
    foreign.beforeCapacity = this::release;
    assertThatThrownBy(() -> ours.getBytes(0, foreign, 0, LENGTH))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(foreign.array()).as("memory that no longer belongs to the source").doesNotContain(2);
  }

  /** Buffer that does not grow when it should, and that reports a writer index before its start. */
  private static final class NonGrowing extends UnpooledHeapByteBuf {
    private int reported = -1;

    NonGrowing(byte[] array) {
      super(UnpooledByteBufAllocator.DEFAULT, array, array.length);
    }

    @Override
    public ByteBuf ensureWritable(int minWritableBytes) {
      return this;
    }

    @Override
    public int writerIndex() {
      return reported < 0 ? super.writerIndex() : reported;
    }
  }

  @Test
  void aSubclassThatMakesNoRoomIsNotWrittenBeyond() {
    byte[] bytes = new byte[LENGTH];
    List<Function<ByteBuf, Object>> writes =
        List.of(
            buffer -> buffer.writeBytes(new byte[] {1, 2, 3, 4}),
            buffer -> buffer.writeBytes(Unpooled.copyInt(5)),
            buffer -> buffer.writeBytes(Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(8))),
            buffer -> buffer.writeBytes(ByteBuffer.allocate(4)),
            buffer -> buffer.writeZero(4),
            buffer -> ByteBufUtil.writeAscii(buffer, "text"),
            buffer -> ByteBufUtil.writeUtf8(buffer, "text"),
            buffer -> ByteBufUtil.writeUtf8(buffer, "\u20ac\u20ac"),
            buffer -> ByteBufUtil.reserveAndWriteUtf8(buffer, "text", 0));
    for (Function<ByteBuf, Object> write : writes) {
      ByteBuf full = new NonGrowing(bytes);
      assertThatThrownBy(() -> write.apply(full)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(full.writerIndex()).isEqualTo(LENGTH);
    }
  }

  @Test
  void aSubclassThatReportsAnotherWriterIndexIsNotWrittenBeyond() {
    NonGrowing full = new NonGrowing(new byte[LENGTH]);
    full.clear();
    full.reported = LENGTH + 8;
    ByteBufUtil.writeAscii(full, "t");
    full.reported = LENGTH + 8;
    ByteBufUtil.writeUtf8(full, "t");
  }

  /** Buffer that changes its capacity again while it allocates memory for a change. */
  private static final class Restless extends UnpooledDirectByteBuf {
    final List<ByteBuffer> made = new ArrayList<>();
    final List<ByteBuffer> freed = new ArrayList<>();
    private Runnable next = () -> {};

    Restless() {
      super(UnpooledByteBufAllocator.DEFAULT, 0, 100);
    }

    @Override
    protected ByteBuffer allocateDirect(int initialCapacity) {
      ByteBuffer memory = ByteBuffer.allocateDirect(initialCapacity);
      if (made != null) {
        Runnable once = next;
        next = () -> {};
        once.run();
        made.add(memory);
      }
      return memory;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same object
    protected void freeDirect(ByteBuffer buffer) {
      assertThat(freed.stream().anyMatch(one -> one == buffer)).as("freed before").isFalse();
      freed.add(buffer);
    }
  }

  @Test
  void aSubclassThatMovesWhileItMovesFreesNothingTwice() {
    Restless buffer = new Restless();
    buffer.capacity(10);
    buffer.next = () -> buffer.capacity(20);
    buffer.capacity(30);
    buffer.release();
    assertThat(buffer.freed).hasSize(4);
  }

  @Test
  void aSubclassThatIsReleasedWhileItMovesFreesNothingTwice() {
    Restless buffer = new Restless();
    buffer.capacity(10);
    buffer.next = buffer::release;
    assertThatThrownBy(() -> buffer.capacity(30))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(buffer.freed).hasSize(3);
  }

  @Test
  void theWriterIndexOfACompositeDoesNotOverflow() {
    ByteBuf part = Unpooled.wrappedBuffer(new byte[1 << 20]);
    CompositeByteBuf half = Unpooled.compositeBuffer(2000);
    for (int i = 0; i < 1500; i++) {
      half.addComponent(true, part.retainedDuplicate());
    }
    CompositeByteBuf composite = Unpooled.compositeBuffer(2);
    composite.addComponent(true, half.retainedDuplicate());
    composite.removeComponent(0);
    assertThatThrownBy(() -> composite.addComponent(true, half.retainedDuplicate()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(composite.writerIndex()).isNotNegative();
    composite.release();
    assertThat(half.refCnt()).isEqualTo(1);
    half.release();
    part.release();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.IllegalReferenceCountException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a method releases a new buffer that it cannot fill: the caller has no reference to it.
 */
class FailedCopyTest {
  /**
   * Allocator that runs an action before it returns a buffer, such as a concurrent release of the
   * source.
   */
  private static final class LateAllocator extends AbstractByteBufAllocator {
    final List<ByteBuf> made = new ArrayList<>();
    private Runnable before = () -> {};

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return made(TestAllocators.UNPOOLED.heapBuffer(initialCapacity, maxCapacity));
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return made(TestAllocators.UNPOOLED.directBuffer(initialCapacity, maxCapacity));
    }

    private ByteBuf made(ByteBuf buffer) {
      before.run();
      made.add(buffer);
      return buffer;
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private enum Source {
    HEAP,
    DIRECT,
    SLICE,
    COMPOSITE,
    FIXED_COMPOSITE;

    private static ByteBuf eight() {
      return TestAllocators.UNPOOLED.heapBuffer(8).writeZero(8);
    }

    ByteBuf of(ByteBufAllocator allocator) {
      return switch (this) {
        case HEAP -> new UnpooledHeapByteBuf(allocator, 16, 64).writeZero(16);
        case DIRECT -> new UnpooledDirectByteBuf(allocator, 16, 64).writeZero(16);
        case SLICE -> new UnpooledHeapByteBuf(allocator, 32, 64).slice(5, 16);
        case COMPOSITE -> new CompositeByteBuf(allocator, true, 4, eight(), eight());
        case FIXED_COMPOSITE -> FixedCompositeByteBuf.of(allocator, eight(), eight());
      };
    }
  }

  private final LateAllocator allocator = new LateAllocator();

  private void failsWithoutALeak(ByteBuf source, UnaryOperator<ByteBuf> copy) {
    allocator.before = source::release;
    assertThatThrownBy(() -> copy.apply(source)).isInstanceOf(IllegalReferenceCountException.class);
    assertNothingLeaked();
  }

  private void assertNothingLeaked() {
    assertThat(allocator.made).isNotEmpty().allMatch(made -> made.refCnt() == 0);
  }

  @ParameterizedTest
  @EnumSource
  void aCopyOfABufferThatIsReleasedMeanwhile(Source source) {
    failsWithoutALeak(source.of(allocator), from -> from.copy(2, 12));
  }

  @ParameterizedTest
  @EnumSource
  void bytesReadFromABufferThatIsReleasedMeanwhile(Source source) {
    failsWithoutALeak(source.of(allocator), from -> from.readBytes(12));
  }

  @ParameterizedTest
  @EnumSource
  void bytesReadIntoABufferOfAnAllocator(Source source) {
    failsWithoutALeak(
        source.of(TestAllocators.UNPOOLED), from -> ByteBufUtil.readBytes(allocator, from, 12));
  }

  @Test
  void componentsThatAreMadeOne() {
    failsWithoutALeak(
        Source.COMPOSITE.of(allocator), from -> ((CompositeByteBuf) from).consolidate());
  }

  @Test
  void aTextThatCannotBeRead() {
    CharSequence unreadable =
        new CharSequence() {
          @Override
          public int length() {
            return 4;
          }

          @Override
          public char charAt(int index) {
            throw new IllegalStateException("this one is meant to fail");
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            return this;
          }

          @Override
          public String toString() {
            throw new IllegalStateException("this one is meant to fail");
          }
        };
    assertThatThrownBy(() -> ByteBufUtil.writeUtf8(allocator, unreadable))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> ByteBufUtil.writeAscii(allocator, unreadable))
        .isInstanceOf(IllegalStateException.class);
    assertThat(allocator.made).hasSize(2);
    assertNothingLeaked();
  }
}

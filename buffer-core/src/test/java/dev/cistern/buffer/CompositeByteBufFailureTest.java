/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.IllegalReferenceCountException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a composite that fails releases the buffers that it was given or has made. */
@Tag("C3")
class CompositeByteBufFailureTest {
  private static final ByteBufAllocator ALLOC = TestAllocators.UNPOOLED;

  /** Allocator whose buffers are too small. */
  private static final class TooSmallAllocator extends AbstractByteBufAllocator {
    private final ByteBuf small = Unpooled.buffer(0, 1);

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return small;
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return small;
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private static ByteBuf one() {
    return Unpooled.buffer(1).writeByte(1);
  }

  @Test
  void aConstructorThatRefusesReleasesItsArguments() {
    ByteBuf a = one();
    ByteBuf b = one();
    assertThatThrownBy(() -> new CompositeByteBuf(ALLOC, false, 0, a, null, b))
        .isInstanceOf(IllegalArgumentException.class);
    ByteBuf c = one();
    ByteBuf d = one();
    assertThatThrownBy(() -> new CompositeByteBuf(null, false, 1, List.of(c, d)))
        .isInstanceOf(NullPointerException.class);
    CompositeByteBuf composite = new CompositeByteBuf(ALLOC, false, 2, one());
    assertThatThrownBy(() -> new CompositeByteBuf(ALLOC, false, -1, (Iterable<ByteBuf>) composite))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(List.of(a, b, c, d, composite)).allMatch(buffer -> buffer.refCnt() == 0);
  }

  @Test
  void aConstructorThatFailsReleasesAddedBuffers() {
    ByteBuf before = one();
    ByteBuf released = one();
    ByteBuf after = one();
    released.release();
    assertThatThrownBy(() -> new CompositeByteBuf(ALLOC, false, 4, before, released, after))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(before.refCnt()).isZero();
    assertThat(after.refCnt()).isZero();
  }

  @Test
  void aFlattenedCompositeIsAddedWhollyOrNotAtAll() {
    ByteBuf mine = one();
    ByteBuf first = one();
    ByteBuf gone = one();
    CompositeByteBuf source = new CompositeByteBuf(ALLOC, false, 4, first, gone);
    CompositeByteBuf target = new CompositeByteBuf(ALLOC, false, 4, mine);
    gone.release();
    assertThatThrownBy(() -> target.addFlattenedComponents(true, source))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(target.numComponents()).isEqualTo(1);
    assertThat(target.capacity()).isEqualTo(target.writerIndex()).isEqualTo(1);
    assertThat(first.refCnt()).isZero();
    assertThat(source.refCnt()).isZero();
    assertThat(target.release()).isTrue();
    assertThat(mine.refCnt()).isZero();
  }

  /** Returns an iterator of these buffers that then fails. */
  private static Iterator<ByteBuf> failing(RuntimeException failure, ByteBuf... given) {
    Iterator<ByteBuf> all = Arrays.asList(given).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public ByteBuf next() {
        if (!all.hasNext()) {
          throw failure;
        }
        return all.next();
      }
    };
  }

  @Test
  void buffersOfAFailingIteratorAreReleased() {
    IllegalStateException failure = new IllegalStateException("on purpose");
    ByteBuf added = one();
    ByteBuf rest = one();
    CompositeByteBuf composite = new CompositeByteBuf(ALLOC, false, 4);
    assertThatThrownBy(
            () -> composite.addComponents(true, () -> failing(failure, added, null, rest)))
        .isSameAs(failure);
    assertThat(rest.refCnt()).isZero();
    assertThat(composite.release()).isTrue();
    assertThat(added.refCnt()).isZero();
  }

  @Test
  void theFirstFailureIsTheOneThatIsThrown() {
    IllegalStateException second = new IllegalStateException("on purpose");
    ByteBuf released = one();
    ByteBuf rest = one();
    released.release();
    CompositeByteBuf composite = new CompositeByteBuf(ALLOC, false, 4);
    assertThatThrownBy(() -> composite.addComponents(true, () -> failing(second, released, rest)))
        .isInstanceOf(IllegalReferenceCountException.class)
        .hasSuppressedException(second);
    assertThat(rest.refCnt()).isZero();
    assertThat(composite.numComponents()).isZero();
    composite.release();
  }

  @Test
  void newMemoryIsReleasedIfItIsTooSmall() {
    TooSmallAllocator alloc = new TooSmallAllocator();
    CompositeByteBuf composite = new CompositeByteBuf(alloc, false, 4);
    assertThatThrownBy(() -> composite.capacity(8)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(alloc.small.refCnt()).isZero();
    composite.release();
  }

  /** Returns a composite of nearly 2 GiB, which repeats the same 1 MiB. */
  private static CompositeByteBuf huge(ByteBufAllocator alloc, ByteBuf piece) {
    CompositeByteBuf huge = new CompositeByteBuf(alloc, false, 3000);
    for (int i = 0; i < 2047; i++) {
      huge.addComponent(true, piece.retainedDuplicate());
    }
    return huge;
  }

  @Test
  void componentsOfANearlyFullCompositeAreMerged() {
    ByteBuf piece = Unpooled.directBuffer(1 << 20).writerIndex(1 << 20);
    piece.setLong(piece.capacity() - 8, 0x0102030405060708L);
    CompositeByteBuf huge = huge(ALLOC, piece);
    int capacity = huge.capacity();
    huge.consolidate(1, 2).consolidate(2043, 3);
    assertThat(huge.numComponents()).isEqualTo(2044);
    assertThat(huge.capacity()).isEqualTo(huge.writerIndex()).isEqualTo(capacity);
    for (int end = piece.capacity(); end > 0 && end <= capacity; end += piece.capacity()) {
      assertThat(huge.getLong(end - 8)).as("before %s", end).isEqualTo(0x0102030405060708L);
    }
    assertThat(huge.toByteIndex(2043)).isEqualTo(capacity - 3 * piece.capacity());
    huge.release();
    assertThat(piece.release()).isTrue();
  }

  @Test
  void componentsTooLargeToMergeStayUnchanged() {
    ByteBuf piece = Unpooled.directBuffer(1 << 20).writeZero(1 << 20);
    CompositeByteBuf huge = huge(new TooSmallAllocator(), piece);
    String before = huge.toString();
    assertThatThrownBy(() -> huge.consolidate(3, 2000))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> huge.addComponent(true, piece.retain()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1048576");
    assertThat(huge.toString()).isEqualTo(before);
    assertThat(huge.getInt(huge.capacity() - 4)).isZero();
    assertThat(piece.refCnt()).isEqualTo(2048);
    huge.release();
    assertThat(piece.release()).isTrue();
  }

  @Test
  void aFailingReleaseDoesNotPreventFurtherReleases() {
    ByteBuf failing =
        new UnpooledHeapByteBuf(ALLOC, 1, 1) {
          @Override
          protected void freeArray(byte[] array) {
            throw new AssertionError("on purpose");
          }
        };
    ByteBuf after = one();
    CompositeByteBuf composite = new CompositeByteBuf(ALLOC, false, 4, failing, after);
    assertThatThrownBy(composite::release).isInstanceOf(AssertionError.class);
    assertThat(after.refCnt()).isZero();
  }
}

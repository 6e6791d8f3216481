/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.leak.RecordingLevel;
import dev.cistern.testing.Latches;
import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ResourceLeakTracker;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests with code of a subclass, of an allocator or of another thread that runs between a check and
 * its access.
 */
@Tag("B4")
@Tag("needs-checks")
class SubclassInTheWayTest {
  private static final int BYTES = 64;

  /** Buffer that releases another buffer when its reader index is read. */
  private static class Releasing extends UnpooledHeapByteBuf {
    private final @Nullable ByteBuf victim;

    Releasing(@Nullable ByteBuf victim) {
      super(UnpooledByteBufAllocator.DEFAULT, BYTES, BYTES);
      this.victim = victim;
      super.writerIndex(BYTES);
    }

    @Override
    public int readerIndex() {
      if (victim != null && victim.refCnt() > 0) {
        victim.release();
      }
      return super.readerIndex();
    }
  }

  @Test
  void aSourceThatReleasesTheTargetWritesNothing() {
    byte[] array = new byte[BYTES];
    ByteBuf target = Unpooled.wrappedBuffer(array);
    ByteBuf source = new Releasing(target).setZero(0, BYTES);
    source.setByte(5, 1);
    assertThatThrownBy(() -> target.setBytes(0, source, BYTES))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(array).containsOnly(0);
  }

  /** Buffer that reports that it grew, but did not. */
  private static final class Lazy extends UnpooledDirectByteBuf {
    private int claimed = Long.BYTES;

    Lazy() {
      super(UnpooledByteBufAllocator.DEFAULT, Long.BYTES, BYTES);
    }

    @Override
    public int capacity() {
      return claimed;
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
      claimed = newCapacity;
      return this;
    }
  }

  @Test
  void aBufferThatOnlyClaimsToHaveGrownIsNotWritten() {
    ByteBuf buffer = new Lazy().writeLong(1);
    assertThatThrownBy(() -> buffer.writeLong(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.ensureWritable(8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.release()).isTrue();
  }

  /** Allocator that runs an action before each allocation. */
  private static final class Interrupting extends AbstractByteBufAllocator {
    private Runnable before = () -> {};
    private int wrongCapacity;

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      before.run();
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      before.run();
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
      return wrongCapacity != 0
          ? wrongCapacity
          : super.calculateNewCapacity(minNewCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  @Test
  void anAllocatorThatReleasesAGrowingCompositeDoesNotReviveIt() {
    Interrupting allocator = new Interrupting();
    CompositeByteBuf composite = new CompositeByteBuf(allocator, false, 8);
    allocator.before = composite::release;
    assertThatThrownBy(() -> composite.writeInt(1))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> composite.setByte(0, 1))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(composite.refCnt()).isZero();
  }

  @Test
  void aWrongNewCapacityChangesNothing() {
    Interrupting allocator = new Interrupting();
    CompositeByteBuf composite = new CompositeByteBuf(allocator, false, 8);
    composite.writeLong(1);
    composite.writerIndex(composite.capacity());
    int capacity = composite.capacity();
    for (int wrong : new int[] {-5, 1, Integer.MIN_VALUE}) {
      allocator.wrongCapacity = wrong;
      assertThatThrownBy(() -> composite.writeLong(2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(composite.capacity()).isEqualTo(capacity);
      assertThat(composite.writerIndex()).isEqualTo(capacity);
      assertThat(composite.readerIndex()).isZero();
    }
    composite.release();
  }

  /** Tests a component that removes the first component of its composite when it is read. */
  @Test
  void componentsThatMoveDuringACopyEndIt() {
    CompositeByteBuf composite = new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, false, 64);
    ForeignByteBuf moving = new ForeignByteBuf(BYTES);
    composite.addComponent(true, moving);
    for (int i = 0; i < 8; i++) {
      composite.addComponent(true, Unpooled.buffer(1).writeZero(1));
    }
    moving.beforeByte =
        () -> {
          moving.retain();
          composite.removeComponent(0);
        };
    assertThatThrownBy(() -> composite.getBytes(BYTES / 2, new byte[BYTES], 0, BYTES / 2 + 3))
        .isInstanceOf(ConcurrentModificationException.class);
    composite.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theArrayOfAStringIsNotGivenToASubclass(boolean isComponent) {
    ForeignByteBuf foreign = new ForeignByteBuf(BYTES);
    foreign.afterArray = source -> Arrays.fill(source, (byte) 'X');
    ByteBuf buffer =
        isComponent ? Unpooled.wrappedBuffer(foreign, Unpooled.buffer(BYTES)) : foreign;
    String expected = "forty-two";
    Charset[] charsets = {
      StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_8
    };
    for (Charset charset : charsets) {
      String text = new String(expected.toCharArray());
      buffer.setCharSequence(1, text, charset);
      assertThat(text).as("set in %s", charset).isEqualTo(expected);
      assertThat(buffer.toString(1, text.length(), charset)).isEqualTo(expected);
      buffer.clear().writeCharSequence(text, charset);
      assertThat(text).as("written in %s", charset).isEqualTo(expected);
      ByteBufUtil.writeAscii(buffer.clear(), text);
      ByteBufUtil.writeUtf8(buffer.clear(), text);
      assertThat(text).isEqualTo(expected);
    }
    buffer.release();
  }

  /** Tracker that counts the records. */
  private static final class Tracker implements ResourceLeakTracker<ByteBuf> {
    private final AtomicInteger records = new AtomicInteger();

    @Override
    public void record() {
      records.incrementAndGet();
    }

    @Override
    public void record(Object hint) {
      records.incrementAndGet();
    }

    @Override
    public boolean close(ByteBuf trackedObject) {
      return true;
    }
  }

  private static CompositeByteBuf recording(Tracker tracker) {
    CompositeByteBuf composite =
        new LeakAwareCompositeByteBuf(
            UnpooledByteBufAllocator.DEFAULT, false, 8, RecordingLevel.ALL);
    for (int i = 0; i < 3; i++) {
      composite.addComponent(true, Unpooled.buffer(BYTES).writeZero(BYTES));
    }
    composite.tracker = tracker;
    return composite;
  }

  @Test
  @Tag("E5")
  void operationsOfTwoThreadsAtOnceDoNotEndTheRecords() throws Exception {
    Tracker tracker = new Tracker();
    CompositeByteBuf composite = recording(tracker);
    CountDownLatch isIn = new CountDownLatch(1);
    CountDownLatch mayLeave = new CountDownLatch(1);
    // The other thread starts an operation of several accesses after this one, and ends it later.
    ByteBuf blocking =
        new Releasing(null) {
          @Override
          public int readableBytes() {
            isIn.countDown();
            Latches.await(mayLeave);
            return super.readableBytes();
          }
        };
    Thread other = new Thread(() -> composite.compareTo(blocking));
    composite.compareTo(
        new Releasing(null) {
          @Override
          public int readableBytes() {
            if (other.getState() == Thread.State.NEW) {
              other.start();
            }
            Latches.await(isIn);
            return super.readableBytes();
          }
        });
    mayLeave.countDown();
    other.join();
    int before = tracker.records.get();
    composite.getByte(0);
    assertThat(tracker.records.get()).isEqualTo(before + 1);
    composite.release();
  }

  @Test
  @Tag("E5")
  void aTransferBetweenWatchedBuffersIsRecordedOnceInEach() {
    Tracker tracker = new Tracker();
    Tracker trackerOfOther = new Tracker();
    CompositeByteBuf composite = recording(tracker);
    ByteBuf bare = Unpooled.buffer(BYTES).writeZero(BYTES);
    ByteBuf other = new LeakAwareByteBuf(bare, bare, trackerOfOther, RecordingLevel.ALL);
    CompositeByteBuf source = recording(new Tracker());
    tracker.records.set(0);

    composite.setBytes(0, other, 0, BYTES);
    assertThat(tracker.records.getAndSet(0)).isEqualTo(1);
    assertThat(trackerOfOther.records.getAndSet(0)).isEqualTo(1);
    composite.getBytes(0, other, 0, BYTES);
    assertThat(tracker.records.getAndSet(0)).isEqualTo(1);
    assertThat(trackerOfOther.records.getAndSet(0)).isEqualTo(1);
    composite.setBytes(0, source, 0, 3 * BYTES);
    assertThat(tracker.records.getAndSet(0)).isEqualTo(1);
    composite.release();
    source.release();
    other.release();
  }
}

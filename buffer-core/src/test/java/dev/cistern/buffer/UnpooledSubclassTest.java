/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of buffers whose memory a subclass allocates and frees. */
@Tag("A13")
class UnpooledSubclassTest {
  private static final ByteBufAllocator ALLOC = UnpooledByteBufAllocator.DEFAULT;
  private static final List<Object> MADE = new ArrayList<>();
  private static final List<Object> FREED = new ArrayList<>();

  private static final class Heap extends UnpooledHeapByteBuf {
    Heap(int initialCapacity, int maxCapacity) {
      super(ALLOC, initialCapacity, maxCapacity);
    }

    @Override
    protected byte[] allocateArray(int initialCapacity) {
      byte[] array = super.allocateArray(initialCapacity);
      MADE.add(array);
      return array;
    }

    @Override
    protected void freeArray(byte[] array) {
      FREED.add(array);
    }
  }

  private static final class GivenArray extends UnpooledHeapByteBuf {
    GivenArray(byte[] array, int maxCapacity) {
      super(ALLOC, array, maxCapacity);
    }

    @Override
    protected void freeArray(byte[] array) {
      FREED.add(array);
    }
  }

  private static final class Direct extends UnpooledDirectByteBuf {
    Direct(int initialCapacity, int maxCapacity) {
      super(ALLOC, initialCapacity, maxCapacity);
    }

    Direct(ByteBuffer given, int maxCapacity) {
      super(ALLOC, given, maxCapacity);
    }

    @Override
    protected ByteBuffer allocateDirect(int initialCapacity) {
      ByteBuffer buffer = super.allocateDirect(initialCapacity);
      MADE.add(buffer);
      return buffer;
    }

    @Override
    protected void freeDirect(ByteBuffer buffer) {
      FREED.add(buffer);
      super.freeDirect(buffer);
    }
  }

  private static void useGrowAndRelease(ByteBuf buffer) {
    buffer.setIndex(0, 0).writeLong(42).capacity(100);
    assertThat(buffer.readLong()).isEqualTo(42);
    buffer.capacity(64).setLong(56, 7);
    assertThat(buffer.getLong(56)).isEqualTo(7);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void arraysAreAllocatedAndFreedByTheSubclass() {
    MADE.clear();
    FREED.clear();
    Heap buffer = new Heap(8, 200);
    assertThat(buffer.hasArray()).isTrue();
    assertThat(buffer.array()).isSameAs(MADE.get(0));
    assertThat(buffer.alloc()).isSameAs(ALLOC);
    useGrowAndRelease(buffer);
    assertThat(MADE).hasSize(3);
    assertThat(FREED).containsExactlyElementsOf(MADE);
  }

  @Test
  void nioBuffersAreAllocatedAndFreedByTheSubclass() {
    MADE.clear();
    FREED.clear();
    Direct buffer = new Direct(8, 200);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.hasMemoryAddress()).isTrue();
    useGrowAndRelease(buffer);
    assertThat(MADE).hasSize(3);
    assertThat(FREED).hasSize(3);
    for (int i = 0; i < FREED.size(); i++) {
      assertThat(FREED.get(i)).isSameAs(MADE.get(i));
    }
  }

  @Test
  void aGivenArrayCanBeReadAndIsFreedByTheSubclass() {
    FREED.clear();
    byte[] array = {1, 2, 3};
    GivenArray buffer = new GivenArray(array, 4);
    assertThat(buffer.readableBytes()).isEqualTo(3);
    assertThat(buffer.array()).isSameAs(array);
    buffer.writeByte(4);
    assertThat(buffer.getByte(3)).isEqualTo((byte) 4);
    assertThat(FREED).hasSize(1);
    assertThat(FREED.get(0)).isSameAs(array);
    buffer.release();
    assertThat(FREED).hasSize(2);
    assertThatThrownBy(() -> new GivenArray(array, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aGivenNioBufferCanBeReadAndStaysItsOwners() {
    MADE.clear();
    FREED.clear();
    ByteBuffer given = ByteBuffer.allocateDirect(10).put(3, (byte) 9).position(3);
    Direct buffer = new Direct(given, 20);
    assertThat(buffer.readableBytes()).isEqualTo(7);
    assertThat(buffer.getByte(0)).isEqualTo((byte) 9);
    buffer.capacity(20);
    assertThat(FREED).isEmpty();
    buffer.release();
    assertThat(FREED).as("what it made itself").hasSize(1);
    assertThat(given.get(3)).isEqualTo((byte) 9);
    assertThatThrownBy(() -> new Direct(ByteBuffer.allocate(3), 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Direct(given.asReadOnlyBuffer(), 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Direct(given, 6)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Buffer that allocates more memory than requested. */
  private static final class LongArray extends UnpooledHeapByteBuf {
    LongArray(int capacity) {
      super(ALLOC, capacity, 100);
    }

    @Override
    protected byte[] allocateArray(int initialCapacity) {
      return new byte[initialCapacity + 5];
    }
  }

  private static final class LongDirect extends UnpooledDirectByteBuf {
    LongDirect(int capacity) {
      super(ALLOC, capacity, 100);
    }

    @Override
    protected ByteBuffer allocateDirect(int initialCapacity) {
      return ByteBuffer.allocateDirect(initialCapacity + 5);
    }
  }

  private static final class TheirLongArray extends io.netty.buffer.UnpooledHeapByteBuf {
    TheirLongArray(int capacity) {
      super(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, capacity, 100);
    }

    @Override
    protected byte[] allocateArray(int initialCapacity) {
      return new byte[initialCapacity + 5];
    }
  }

  @Test
  void theCapacityIsThatOfTheMemoryThatTheSubclassMade() {
    io.netty.buffer.ByteBuf theirs = new TheirLongArray(10);
    for (ByteBuf buffer : new ByteBuf[] {new LongArray(10), new LongDirect(10)}) {
      assertThat(buffer.capacity()).isEqualTo(theirs.capacity()).isEqualTo(15);
      buffer.setIndex(3, 15).setByte(14, 9);
      assertThat(buffer.capacity(20).capacity()).isEqualTo(25);
      assertThat(buffer.getByte(14)).isEqualTo((byte) 9);
      buffer.capacity(8);
      assertThat(buffer.capacity()).isEqualTo(13);
      assertThat(buffer.writerIndex()).isEqualTo(8);
      assertThatThrownBy(() -> buffer.getByte(13)).isInstanceOf(IndexOutOfBoundsException.class);
      buffer.capacity(100).writerIndex(100).writeInt(7);
      assertThat(buffer.capacity()).as("beyond the maximum").isEqualTo(105);
      assertThatThrownBy(() -> buffer.writeShort(1)).isInstanceOf(IndexOutOfBoundsException.class);
      buffer.release();
    }
    theirs.setIndex(3, 15);
    assertThat(theirs.capacity(20).capacity()).isEqualTo(25);
    assertThat(theirs.capacity(8).capacity()).isEqualTo(13);
    assertThat(theirs.writerIndex()).isEqualTo(8);
    theirs.capacity(100).writerIndex(100).writeInt(7);
    assertThat(theirs.capacity()).isEqualTo(105);
    theirs.release();
  }

  @Test
  void badCapacitiesAreRefused() {
    assertThatThrownBy(() -> new Heap(-1, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Heap(4, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Direct(4, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new UnpooledHeapByteBuf(null, 1, 1))
        .isInstanceOf(NullPointerException.class);
  }
}

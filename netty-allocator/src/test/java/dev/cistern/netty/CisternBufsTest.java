/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.io.OutboundBuffer;
import dev.cistern.io.OutboundListener;
import dev.cistern.io.OutboundSettings;
import dev.cistern.io.WriteProgress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state that a wrapper and its origin share, in both directions. */
class CisternBufsTest {
  private static final int BYTES = 1000;
  private static final int PARTS = 5000;
  private static final int PART_BYTES = 100;

  private final PooledByteBufAllocator library = PooledByteBufAllocator.DEFAULT;
  private final CisternAllocator netty = CisternAllocator.DEFAULT;

  @Test
  void bytesIndicesAndCountPassToNetty() {
    dev.cistern.buffer.ByteBuf origin = library.directBuffer(64).writeInt(1).writeInt(2);
    origin.readInt();
    ByteBuf wrapper = CisternBufs.wrap(origin);
    assertThat(wrapper.readerIndex()).isEqualTo(4);
    assertThat(wrapper.readInt()).isEqualTo(2);
    assertThat(origin.readableBytes()).as("indices are its own").isEqualTo(4);
    wrapper.setInt(0, 77);
    assertThat(origin.getInt(0)).isEqualTo(77);
    assertThat(wrapper.memoryAddress()).isEqualTo(origin.memoryAddress());
    wrapper.retain();
    assertThat(origin.refCnt()).isEqualTo(2);
    assertThat(origin.release()).isFalse();
    assertThat(wrapper.release()).isTrue();
    assertThat(origin.refCnt()).isZero();
    assertThatThrownBy(wrapper::readByte)
        .isInstanceOf(io.netty.util.IllegalReferenceCountException.class);
    assertThatThrownBy(wrapper::retain)
        .isInstanceOf(io.netty.util.IllegalReferenceCountException.class);
    assertThatThrownBy(() -> CisternBufs.wrap(origin))
        .isInstanceOf(io.netty.util.IllegalReferenceCountException.class);
  }

  @Test
  void bytesIndicesAndCountPassToTheLibrary() {
    ByteBuf origin = netty.heapBuffer(64).writeInt(1).writeInt(2);
    origin.readInt();
    dev.cistern.buffer.ByteBuf wrapper = CisternBufs.wrap(origin);
    assertThat(wrapper.readerIndex()).isEqualTo(4);
    assertThat(wrapper.readInt()).isEqualTo(2);
    assertThat(origin.readableBytes()).isEqualTo(4);
    assertThat(wrapper.array()).isSameAs(origin.array());
    assertThat(wrapper.arrayOffset()).isEqualTo(origin.arrayOffset());
    wrapper.retain();
    assertThat(origin.refCnt()).isEqualTo(2);
    wrapper.release(2);
    assertThat(origin.refCnt()).isZero();
    assertThatThrownBy(wrapper::readByte)
        .isInstanceOf(dev.cistern.util.IllegalReferenceCountException.class);
    assertThatThrownBy(wrapper::release)
        .isInstanceOf(dev.cistern.util.IllegalReferenceCountException.class);
    assertThatThrownBy(() -> CisternBufs.wrap(origin))
        .isInstanceOf(dev.cistern.util.IllegalReferenceCountException.class);
  }

  /** Returns the innermost buffer, because Netty's leak detector wraps a random buffer in 128. */
  private static ByteBuf bare(ByteBuf buffer) {
    ByteBuf inner = buffer.unwrap();
    return inner == null ? buffer : bare(inner);
  }

  @Test
  void wrappingAWrapperUnwrapsIt() {
    ByteBuf origin = netty.directBuffer(64).writeLong(1).writeLong(2);
    dev.cistern.buffer.ByteBuf there = CisternBufs.wrap(origin);
    there.readLong();
    ByteBuf back = CisternBufs.wrap(there);
    assertThat(bare(back)).isSameAs(bare(origin));
    assertThat(back.readLong()).as("with the wrapper's indices").isEqualTo(2);
    assertThat(back.release()).isTrue();
    dev.cistern.buffer.ByteBuf source = library.heapBuffer(8).writeInt(3);
    dev.cistern.buffer.ByteBuf again = CisternBufs.wrap(CisternBufs.wrap(source));
    assertThat(again.unwrap()).isSameAs(source);
    assertThat(again.readInt()).isEqualTo(3);
    source.release();
  }

  @Test
  void aWrapperGrowsItsOrigin() {
    ByteBuf origin = netty.directBuffer(8, 1 << 20);
    dev.cistern.buffer.ByteBuf wrapper = CisternBufs.wrap(origin);
    wrapper.writeBytes(new byte[10_000]).writeByte(7);
    assertThat(origin.capacity()).isEqualTo(wrapper.capacity()).isGreaterThan(10_000);
    assertThat(origin.getByte(10_000)).isEqualTo((byte) 7);
    assertThatThrownBy(() -> wrapper.ensureWritable(1 << 20))
        .isInstanceOf(IndexOutOfBoundsException.class);
    wrapper.release();
  }

  @Test
  void aWrapperOfAReadOnlyBufferOfTheLibraryIsReadOnly() {
    ByteBuf wrapper = CisternBufs.wrap(library.heapBuffer(8).writeInt(1).asReadOnly());
    ByteBuf netty = Unpooled.buffer(8).writeInt(1).asReadOnly();
    assertThat(wrapper.isReadOnly()).isTrue();
    assertThat(wrapper.isWritable()).isEqualTo(netty.isWritable()).isFalse();
    assertThat(wrapper.isWritable(1)).isEqualTo(netty.isWritable(1)).isFalse();
    for (boolean force : new boolean[] {true, false}) {
      assertThat(wrapper.ensureWritable(1, force))
          .isEqualTo(netty.ensureWritable(1, force))
          .isEqualTo(1);
    }
    assertThatThrownBy(() -> netty.ensureWritable(1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.ensureWritable(1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.setInt(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.writeByte(1)).isInstanceOf(ReadOnlyBufferException.class);
    wrapper.release();
    netty.release();
  }

  @Test
  void aWrapperOfAReadOnlyBufferOfNettyIsReadOnly() {
    dev.cistern.buffer.ByteBuf wrapper =
        CisternBufs.wrap(netty.heapBuffer(8).writeInt(1).asReadOnly());
    dev.cistern.buffer.ByteBuf expected = library.heapBuffer(8).writeInt(1).asReadOnly();
    assertThat(wrapper.isReadOnly()).isTrue();
    assertThat(wrapper.isWritable()).isEqualTo(expected.isWritable()).isFalse();
    assertThat(wrapper.isWritable(1)).isEqualTo(expected.isWritable(1)).isFalse();
    for (boolean force : new boolean[] {true, false}) {
      assertThat(wrapper.ensureWritable(1, force))
          .isEqualTo(expected.ensureWritable(1, force))
          .isEqualTo(1);
    }
    assertThatThrownBy(() -> expected.writeZero(0)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.writeZero(0)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> expected.ensureWritable(1))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.ensureWritable(1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.setInt(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> wrapper.writeByte(1)).isInstanceOf(ReadOnlyBufferException.class);
    wrapper.release();
    expected.release();
  }

  @Test
  void wrappersCallTheCountsThatASubclassOverrides() {
    AtomicInteger retains = new AtomicInteger();
    AtomicInteger releases = new AtomicInteger();
    ByteBuf toLibrary =
        new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, BYTES, BYTES) {
          @Override
          public ByteBuf retain() {
            retains.incrementAndGet();
            return super.retain();
          }

          @Override
          public boolean release() {
            releases.incrementAndGet();
            return super.release();
          }
        };
    dev.cistern.buffer.ByteBuf wrapper = CisternBufs.wrap(toLibrary).retain();
    assertThat(wrapper.release()).isFalse();
    assertThat(wrapper.release()).isTrue();
    assertThat(retains).hasValue(1);
    assertThat(releases).hasValue(2);
    dev.cistern.buffer.ByteBuf toNetty =
        new dev.cistern.buffer.UnpooledHeapByteBuf(
            dev.cistern.buffer.UnpooledByteBufAllocator.DEFAULT, BYTES, BYTES) {
          @Override
          public dev.cistern.buffer.ByteBuf retain() {
            retains.incrementAndGet();
            return super.retain();
          }

          @Override
          public boolean release() {
            releases.incrementAndGet();
            return super.release();
          }
        };
    ByteBuf other = CisternBufs.wrap(toNetty).retain();
    assertThat(other.release()).isFalse();
    assertThat(other.release()).isTrue();
    assertThat(retains).hasValue(2);
    assertThat(releases).hasValue(4);
  }

  /** A buffer that counts the accesses to single bytes. */
  private static final class CountedBytes extends UnpooledHeapByteBuf {
    int accesses;

    CountedBytes() {
      super(UnpooledByteBufAllocator.DEFAULT, BYTES, BYTES);
    }

    @Override
    public byte getByte(int index) {
      accesses++;
      return super.getByte(index);
    }

    @Override
    public ByteBuf setByte(int index, int value) {
      accesses++;
      return super.setByte(index, value);
    }
  }

  @Test
  void operationsOnManyBytesAccessNoSingleBytes() {
    CountedBytes origin = new CountedBytes();
    dev.cistern.buffer.ByteBuf wrapper = CisternBufs.wrap(origin);
    dev.cistern.buffer.ByteBuf other = library.directBuffer(BYTES, BYTES);
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) 'a');
    wrapper.writeBytes(bytes);
    assertThat(wrapper.toString(StandardCharsets.UTF_8)).isEqualTo("a".repeat(BYTES));
    other.writeBytes(wrapper, 0, BYTES);
    wrapper.setZero(0, BYTES).setBytes(0, other, 0, BYTES).readBytes(bytes);
    assertThat(bytes).containsOnly('a');
    wrapper.clear().writeZero(BYTES);
    assertThat(origin.array()).containsOnly(0);
    assertThat(origin.accesses).isZero();
    other.release();
    wrapper.release();
  }

  /** A buffer that counts how often a NIO buffer of it is created. */
  private static final class CountedPart extends UnpooledDirectByteBuf {
    int nioBuffers;

    CountedPart() {
      super(UnpooledByteBufAllocator.DEFAULT, PART_BYTES, PART_BYTES);
      writeZero(PART_BYTES);
    }

    @Override
    public ByteBuffer nioBuffer(int index, int length) {
      nioBuffers++;
      return super.nioBuffer(index, length);
    }
  }

  @Test
  void aWriteMakesNioBuffersOnlyOfThePartsThatItReaches(@TempDir Path directory)
      throws IOException {
    CompositeByteBuf composite = Unpooled.compositeBuffer(PARTS);
    List<CountedPart> parts = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      parts.add(new CountedPart());
      composite.addComponent(true, parts.get(i));
    }
    OutboundBuffer outbound =
        new OutboundBuffer(OutboundSettings.of(library), OutboundListener.NONE);
    outbound.write(CisternBufs.wrap(composite));
    outbound.flush();
    Path file = directory.resolve("written");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (outbound.writeTo(channel) != WriteProgress.ALL_WRITTEN) {
        assertThat(outbound.pendingBytes()).isPositive();
      }
    }
    assertThat(file).hasSize((long) PARTS * PART_BYTES);
    assertThat(parts).allSatisfy(part -> assertThat(part.nioBuffers).isBetween(1, 3));
    assertThat(parts.stream().mapToInt(part -> part.nioBuffers).sum()).isLessThan(2 * PARTS);
    assertThat(composite.refCnt()).isZero();
  }

  @Test
  void wrappersOfOneOriginShareNoNioBuffer() {
    dev.cistern.buffer.ByteBuf source = library.directBuffer(16).writeLong(1).writeLong(2);
    ByteBuffer first = CisternBufs.wrap(source).internalNioBuffer(0, 8);
    ByteBuffer second = CisternBufs.wrap(source).internalNioBuffer(8, 8);
    assertThat(second).isNotSameAs(first);
    assertThat(first.getLong()).isEqualTo(1);
    assertThat(second.getLong()).isEqualTo(2);
    source.release();
    ByteBuf nettySource = netty.directBuffer(16).writeLong(1).writeLong(2);
    first = CisternBufs.wrap(nettySource).internalNioBuffer(0, 8);
    second = CisternBufs.wrap(nettySource).internalNioBuffer(8, 8);
    assertThat(second).isNotSameAs(first);
    assertThat(first.getLong()).isEqualTo(1);
    assertThat(second.getLong()).isEqualTo(2);
    nettySource.release();
  }

  @Test
  void aWrapperOfASliceIsNotUnwrapped() {
    ByteBuf origin = netty.directBuffer(16).writeLong(1).writeLong(2);
    ByteBuf back = CisternBufs.wrap(CisternBufs.wrap(origin).slice(8, 8));
    assertThat(back.unwrap()).isNull();
    assertThat(back.readLong()).isEqualTo(2);
    assertThat(back.release()).isTrue();
    assertThat(origin.refCnt()).isZero();
  }

  @Test
  void aBufferWithoutNioBuffersIsRefused() {
    dev.cistern.buffer.ByteBuf source = withoutNioBuffers(library.buffer(8));
    assertThatThrownBy(() -> CisternBufs.wrap(source))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it has no NIO buffers");
    assertThat(source.release()).isTrue();
  }

  /** Returns a buffer of an application's own type. */
  private static dev.cistern.buffer.ByteBuf withoutNioBuffers(dev.cistern.buffer.ByteBuf buffer) {
    return new dev.cistern.buffer.SwappedByteBuf(buffer) {
      @Override
      public int nioBufferCount() {
        return -1;
      }
    };
  }

  @Test
  @SuppressWarnings("deprecation") // wrap calls it
  void aWrapperIsBigEndian() {
    ByteBuf little = netty.directBuffer(8).order(ByteOrder.LITTLE_ENDIAN).writeInt(0x01020304);
    dev.cistern.buffer.ByteBuf wrapper = CisternBufs.wrap(little);
    assertThat(wrapper.getInt(0)).isEqualTo(0x04030201);
    assertThat(wrapper.getIntLE(0)).isEqualTo(0x01020304);
    wrapper.release();
  }

  @Test
  void aCompositeIsWrappedWithItsParts() {
    ByteBuf composite = Unpooled.wrappedBuffer(new byte[] {1, 2, 3}, new byte[] {4, 5, 6, 7, 8});
    dev.cistern.buffer.ByteBuf wrapper = CisternBufs.wrap(composite);
    assertThat(wrapper.nioBufferCount()).isEqualTo(2);
    assertThat(wrapper.getLong(0)).isEqualTo(0x0102030405060708L);
    dev.cistern.buffer.ByteBuf target = library.directBuffer(8).writeBytes(wrapper);
    assertThat(target.readLong()).isEqualTo(0x0102030405060708L);
    target.clear().writeLong(-1);
    assertThat(wrapper.isReadable()).isFalse();
    wrapper.setBytes(0, target, 0, 8);
    assertThat(composite.getLong(0)).isEqualTo(-1);
    wrapper.getBytes(0, target, 0, 8);
    wrapper.release();
    target.release();
  }

  @Test
  void textAndSlicesWorkThroughBoth() {
    dev.cistern.buffer.ByteBuf origin = library.directBuffer(64);
    origin.writeCharSequence("cistern für netty", StandardCharsets.UTF_8);
    ByteBuf wrapper = CisternBufs.wrap(origin);
    assertThat(wrapper.toString(StandardCharsets.UTF_8)).isEqualTo("cistern für netty");
    ByteBuf slice = wrapper.retainedSlice(0, 7);
    assertThat(slice.toString(StandardCharsets.US_ASCII)).isEqualTo("cistern");
    assertThat(origin.refCnt()).isEqualTo(2);
    List.of(slice, wrapper).forEach(ByteBuf::release);
    assertThat(origin.refCnt()).isZero();
  }
}

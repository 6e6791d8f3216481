/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryBackoffError;
import dev.cistern.memory.MemoryQuarantine;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.NettyPools;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The test of a bridge: uses it once as a host would, before the host does. A copy of Netty that
 * behaves differently is not served.
 *
 * <p>Netty's leak detector does not see the buffers, because its wrappers initialise a class that
 * logs. A logging framework that allocates a buffer in a class initialiser would then deadlock with
 * this thread.
 */
final class SelfTest {
  private static final int SMALL = 64;
  private static final int GROWN = 40_000;
  private static final int LIMIT = 1 << 20;
  private static final long PATTERN = 0x0123_4567_89AB_CDEFL;

  private final Allocator allocator = new Allocator();

  /** Runs the test. Returns the failure, or null. */
  @Nullable Throwable run() {
    String fault = System.getProperty("cistern.test.fault");
    try {
      if ("selfTest".equals(fault)) {
        throw new AssertionError("injected fault");
      }
      if ("shortOfMemory".equals(fault)) {
        throw new MemoryBackoffError("injected fault");
      }
      long pinned = pinnedBytes();
      check(allocator.directBuffer(SMALL, LIMIT), true);
      check(allocator.heapBuffer(SMALL, LIMIT), false);
      // The test after a pause runs while threads of the host release their buffers.
      expect(pinned != 0 || pinnedBytes() == 0, "bytes stay pinned after release");
      if (pinned == 0) {
        freeChunks();
      }
      return null;
    } catch (Throwable failure) {
      return failure;
    }
  }

  private void check(ByteBuf buffer, boolean direct) {
    try {
      fresh(buffer, direct);
      singleValues(buffer);
      grows(buffer);
      derived(buffer);
    } finally {
      expect(buffer.release(), "release() does not end the only reference");
    }
    expect(buffer.refCnt() == 0, "refCnt() is not 0 after release()");
  }

  private void fresh(ByteBuf buffer, boolean direct) {
    expect(buffer instanceof CisternByteBuf, "not served by the bridge");
    expect(buffer.alloc() == allocator, "alloc() is another allocator");
    expect(buffer.isDirect() == direct, "isDirect() is wrong");
    expect(buffer.refCnt() == 1, "refCnt() is not 1");
    expect(buffer.capacity() == SMALL && buffer.maxCapacity() == LIMIT, "capacity is wrong");
    expect(buffer.readerIndex() == 0 && buffer.writerIndex() == 0, "indices are not 0");
  }

  private static void singleValues(ByteBuf buffer) {
    buffer.writeLong(PATTERN).writeIntLE(0x1234_5678).writeMedium(0xABCDEF).writeByte(1);
    buffer.setLongLE(24, PATTERN).setMediumLE(33, 0x123456).setShort(41, 0x7654);
    expect(buffer.readLong() == PATTERN && buffer.getByte(0) == 1, "writeLong() is wrong");
    expect(buffer.readIntLE() == 0x1234_5678 && buffer.getByte(8) == 0x78, "writeIntLE() is wrong");
    expect(buffer.readUnsignedMedium() == 0xABCDEF && buffer.readByte() == 1, "medium is wrong");
    expect(
        buffer.getLongLE(24) == PATTERN && buffer.getByte(24) == (byte) PATTERN,
        "setLongLE() is wrong");
    expect(
        buffer.getMediumLE(33) == 0x123456 && buffer.getShortLE(41) == 0x5476,
        "little-endian values are wrong");
  }

  private static void grows(ByteBuf buffer) {
    buffer.clear();
    for (int i = 0; i < SMALL / Long.BYTES; i++) {
      buffer.writeLong(PATTERN + i);
    }
    buffer.ensureWritable(GROWN);
    expect(buffer.capacity() >= SMALL + GROWN, "capacity() did not grow");
    buffer.setLong(GROWN, PATTERN);
    expect(buffer.getLong(GROWN) == PATTERN, "the grown part is not usable");
    for (int i = 0; i < SMALL / Long.BYTES; i++) {
      expect(buffer.getLong(i * Long.BYTES) == PATTERN + i, "content lost by growing");
    }
    buffer.writerIndex(GROWN).capacity(SMALL);
    expect(buffer.writerIndex() == SMALL, "capacity() does not trim the indices");
    expect(buffer.getLong(SMALL - Long.BYTES) == PATTERN + 7, "content lost by shrinking");
  }

  private static void derived(ByteBuf buffer) {
    ByteBuf slice = buffer.slice(8, 16);
    expect(slice.getLong(0) == PATTERN + 1, "slice() is wrong");
    ByteBuf retained = buffer.retainedSlice(16, 8);
    expect(buffer.refCnt() == 2 && retained.getLong(0) == PATTERN + 2, "retainedSlice() is wrong");
    retained.release();
    expect(buffer.refCnt() == 1, "a retained slice does not give its reference back");
    ByteBuf duplicate = buffer.duplicate().setIndex(0, 8);
    expect(duplicate.readLong() == PATTERN && buffer.readerIndex() == 0, "duplicate() is wrong");
    ByteBuffer view = buffer.nioBuffer(8, 8);
    expect(view.remaining() == 8 && view.getLong() == PATTERN + 1, "nioBuffer() is wrong");
    byte[] copy = new byte[8];
    buffer.getBytes(8, copy);
    expect(ByteBuffer.wrap(copy).getLong() == PATTERN + 1, "getBytes() is wrong");
  }

  private static long pinnedBytes() {
    NettyPools.DIRECT_ENGINE.freeCurrentThreadCache();
    NettyPools.HEAP_ENGINE.freeCurrentThreadCache();
    return NettyPools.DIRECT.snapshot().pinnedBytes() + NettyPools.HEAP.snapshot().pinnedBytes();
  }

  /** Frees the chunks with bytes of this test, so that the host's first buffers contain zeros. */
  private static void freeChunks() {
    while (NettyPools.DIRECT_ENGINE.tryFreeOne() || NettyPools.HEAP_ENGINE.tryFreeOne()) {
      // Repeat until no chunk is left.
    }
    MemoryQuarantine.ofBlocks().freeAll();
  }

  private static void expect(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  /** An allocator in place of the host's. */
  static final class Allocator extends AbstractByteBufAllocator {
    Allocator() {
      super(true);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return NettyPools.bareHeap(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return NettyPools.bareDirect(this, initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return true;
    }
  }
}

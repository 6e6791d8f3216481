/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that each buffer has its own memory, which is counted. */
@Tag("A13")
@Tag("F4")
class UnpooledByteBufAllocatorTest {
  @Test
  void allocatesThePreferredKindAndDirectBuffersForIo() {
    UnpooledByteBufAllocator heap = new UnpooledByteBufAllocator(false);
    UnpooledByteBufAllocator direct = new UnpooledByteBufAllocator(true);
    ByteBuf ofHeap = heap.buffer();
    ByteBuf ofDirect = direct.buffer();
    ByteBuf io = heap.ioBuffer();
    assertThat(ofHeap.isDirect()).isFalse();
    assertThat(ofDirect.isDirect()).isTrue();
    assertThat(io.isDirect()).isTrue();
    assertThat(io.capacity()).isEqualTo(256);
    ofHeap.release();
    ofDirect.release();
    io.release();
  }

  @Test
  void countsAllocatedAndFreedBytes() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    ByteBuf heap = allocator.heapBuffer(100);
    ByteBuf direct = allocator.directBuffer(1000);
    assertThat(allocator.metric().usedHeapMemory()).isEqualTo(100);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(1000);
    direct.capacity(3000);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(3000);
    direct.capacity(10);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(10);
    heap.release();
    direct.release();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  @Test
  void servesRequestsForNothing() {
    for (ByteBuf buffer :
        new ByteBuf[] {
          TestAllocators.UNPOOLED.directBuffer(0), TestAllocators.POOLED.buffer(0, 0)
        }) {
      assertThat(buffer.capacity()).isZero();
      assertThat(buffer.nioBuffer().remaining()).isZero();
      assertThat(buffer.slice()).isEqualTo(buffer);
      buffer.release();
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.AbstractByteBufAllocator;
import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.buffer.TestAllocators;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that content on the Java heap is copied to direct memory once, and that the channel never
 * gets an array.
 */
@Tag("H1")
class OutboundHeapContentTest extends OutboundContract {
  /** Allocator that counts direct buffers. */
  private static final class Counting extends AbstractByteBufAllocator {
    int directBuffers;
    boolean isFull;

    Counting() {
      super(true);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return true;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return TestAllocators.POOLED.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      if (isFull) {
        throw new OutOfMemoryError("on purpose");
      }
      directBuffers++;
      return TestAllocators.POOLED.directBuffer(initialCapacity, maxCapacity);
    }
  }

  private final Counting counting = new Counting();
  private final OutboundBuffer copying = outbound(OutboundSettings.of(counting));

  @Test
  void heapContentIsCopiedOnceForAnyNumberOfWrites() throws IOException {
    ByteBuf message = heap("abcdefgh");
    copying.write(message);
    assertThat(message.refCnt()).as("released with the copy").isZero();
    copying.flush();
    channel.appetite = offered -> 1;
    while (copying.writeTo(channel) != WriteProgress.ALL_WRITTEN) {
      assertThat(counting.directBuffers).isEqualTo(1);
    }
    assertThat(taken()).isEqualTo("abcdefgh");
    assertThat(counting.directBuffers).isEqualTo(1);
  }

  @Test
  void theChannelIsOfferedDirectMemoryOnly() throws IOException {
    CompositeByteBuf mixed =
        new CompositeByteBuf(TestAllocators.POOLED, true, 8)
            .addComponents(true, direct("ab"), heap("cd"), direct("ef"));
    CompositeByteBuf allDirect =
        new CompositeByteBuf(TestAllocators.POOLED, true, 8)
            .addComponents(true, direct("gh"), direct("ij"));
    copying.write(mixed);
    copying.write(allDirect);
    copying.write(heap("kl"));
    copying.flush();
    copying.writeTo(
        new DirectOnly() {
          @Override
          void take(ByteBuffer piece) throws IOException {
            channel.write(piece);
          }
        });
    assertThat(taken()).isEqualTo("abcdefghijkl");
    assertThat(counting.directBuffers).as("the mixed one and the last").isEqualTo(2);
  }

  @Test
  void withoutDirectMemoryTheMessageIsRefused() {
    counting.isFull = true;
    ByteBuf message = heap("abc");
    assertThat(copying.write(message, events.listener("it"))).isFalse();
    assertThat(message.refCnt()).isZero();
    assertThat(events.log).containsExactly("it failed: OutOfMemoryError on purpose");
    assertThat(copying.pendingMessages()).isZero();
    assertThat(copying.isClosed()).isFalse();
  }

  @Test
  void anAllocatorThatPrefersTheHeapAllocatesDirectMemory() {
    PooledByteBufAllocator noDirect = new PooledByteBufAllocator(false);
    OutboundBuffer buffer = outbound(OutboundSettings.of(noDirect));
    ByteBuf message = noDirect.heapBuffer().writeZero(10);
    assertThat(buffer.write(message)).isTrue();
    assertThat(message.refCnt()).isZero();
    buffer.close(new IOException("the end"));
  }

  @Test
  void readingTheContentMayFail() {
    ByteBuf message =
        new CompositeByteBuf(TestAllocators.POOLED, false, 4).addComponent(true, heap("abc"));
    ByteBuf component = ((CompositeByteBuf) message).component(0);
    // An error of the application.
    component.release();
    assertThat(copying.write(message, events.listener("it"))).isFalse();
    assertThat(events.log).singleElement().asString().startsWith("it failed: ");
    assertThat(copying.pendingMessages()).isZero();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.DefaultByteBufHolder;
import dev.cistern.buffer.TestAllocators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests with messages that change, report wrong values or call back while they are pending: the
 * channel gets no byte that is not theirs.
 */
@Tag("H1")
class OutboundHostileMessageTest extends OutboundContract {
  private final IOException gone = new IOException("gone");

  /** Composite of two direct parts without an address. */
  private static class Parts extends CompositeByteBuf {
    Parts(String first, String second) {
      super(TestAllocators.POOLED, true, 8);
      addComponents(true, direct(first), direct(second));
    }
  }

  @Test
  void aSliceOfARootThatIsMadeSmaller() {
    ByteBuf root = TestAllocators.POOLED.directBuffer(1024).writeZero(1024);
    outbound.write(root.retainedSlice(900, 64).slice(3, 50), events.listener("slice"));
    outbound.flush();
    root.capacity(100);
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(channel.writes).isZero();
    assertThat(events.log).hasSize(1);
    root.release();
  }

  @Test
  void partsThatAreJoinedInTheMiddle() throws IOException {
    CompositeByteBuf parts = new Parts("abcd", "efgh");
    outbound.write(parts);
    outbound.flush();
    channel.room = 2;
    outbound.writeTo(channel);
    parts.consolidate();
    ByteBuf other = direct("OTHER");
    channel.room = 3;
    outbound.writeTo(channel);
    parts.addComponent(true, direct("not sent"));
    channel.room = 100;
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("abcdefgh");
    other.release();
  }

  @Test
  void partsThatAreMadeSmallerInTheMiddle() throws IOException {
    CompositeByteBuf parts = new Parts("abcd", "efgh");
    outbound.write(parts, events.listener("parts"));
    outbound.flush();
    channel.room = 2;
    outbound.writeTo(channel);
    parts.capacity(4);
    channel.room = 100;
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(taken()).isEqualTo("ab");
    assertThat(outbound.pendingMessages()).isZero();
  }

  @Test
  void anAddressThatDisappears() throws IOException {
    CompositeByteBuf one =
        new CompositeByteBuf(TestAllocators.POOLED, true, 8).addComponents(true, direct("abcd"));
    outbound.write(one);
    outbound.flush();
    channel.room = 2;
    outbound.writeTo(channel);
    one.addComponent(true, direct("efgh"));
    channel.room = 100;
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("abcd");
  }

  @Test
  void nioBuffersThatShowTooLittleOrTooMuch() {
    for (int difference : new int[] {-2, 2}) {
      outbound.write(
          new Parts("abc", "def") {
            @Override
            public ByteBuffer[] nioBuffers(int index, int length) {
              return new ByteBuffer[] {ByteBuffer.allocateDirect(length + difference)};
            }
          },
          events.listener("it"));
      outbound.flush();
      assertThatThrownBy(() -> outbound.writeTo(channel))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "NIO buffers of a pending message: " + (6 + difference) + " bytes (expected: 6)");
    }
    assertThat(channel.writes).isZero();
    assertThat(outbound.pendingMessages()).isZero();
  }

  @Test
  void withoutNioBuffersItIsRefused() {
    ByteBuf none =
        new Parts("abc", "def") {
          @Override
          public int nioBufferCount() {
            return -1;
          }
        };
    assertThat(outbound.write(none, events.listener("it"))).isFalse();
    assertThat(none.refCnt()).isZero();
    assertThat(events.log).singleElement().asString().contains("without a memory address");
  }

  @Test
  void theNumberOfNioBuffersIsReadOnce() throws IOException {
    int[] reads = new int[1];
    ByteBuffer bytes = ByteBuffer.allocateDirect(6).put("abcdef".getBytes(US_ASCII)).clear();
    outbound.write(
        new Parts("abc", "def") {
          @Override
          public int nioBufferCount() {
            reads[0]++;
            return 2;
          }

          @Override
          public ByteBuffer[] nioBuffers(int index, int length) {
            return new ByteBuffer[] {bytes.slice(index, 1), bytes.slice(index + 1, length - 1)};
          }
        });
    outbound.flush();
    for (int i = 0; i < 6; i++) {
      channel.room = 1;
      outbound.writeTo(channel);
    }
    assertThat(taken()).isEqualTo("abcdef");
    assertThat(reads[0]).isEqualTo(1);
  }

  @Test
  void aPendingMessageIsTouchedWithAHint() {
    Object[] hint = new Object[1];
    outbound.write(
        new Parts("abc", "def") {
          @Override
          public CompositeByteBuf touch(@Nullable Object newHint) {
            hint[0] = newHint;
            return super.touch(newHint);
          }
        });
    outbound.close();
    assertThat(hint[0]).isEqualTo("pending in an outbound buffer");
  }

  @Test
  void aMessageThatCannotBeTouchedIsRefused() {
    ByteBuf untouchable =
        new Parts("abc", "def") {
          @Override
          public CompositeByteBuf touch(@Nullable Object hint) {
            throw new StackOverflowError("on purpose");
          }
        };
    assertThat(outbound.write(untouchable, events.listener("it"))).isFalse();
    assertThat(untouchable.refCnt()).isZero();
    assertThat(events.log).containsExactly("it failed: StackOverflowError on purpose");
  }

  private static OutboundBuffer closedByAFailure() {
    return new OutboundBuffer(
        SETTINGS,
        new OutboundListener() {
          @Override
          public void writabilityChanged(OutboundBuffer buffer, boolean writable) {}

          @Override
          public void failed(OutboundBuffer buffer, Throwable failure) {
            buffer.close(failure);
          }
        });
  }

  @Test
  void aCancelledMessageThatClosesWhenItIsReleased() throws IOException {
    OutboundBuffer closing = closedByAFailure();
    ByteBuf content = direct("cancelled");
    closing.write(direct("first"), events.listener("first"));
    CompletableFuture<?> cancelled =
        closing.writeWithFuture(
            new DefaultByteBufHolder(content) {
              @Override
              public boolean release() {
                throw new IllegalStateException("on purpose");
              }
            });
    closing.write(direct("last"), events.listener("last"));
    closing.flush();
    cancelled.cancel(false);
    channel.room = 5;
    closing.writeTo(channel);
    assertThat(taken()).isEqualTo("first");
    assertThat(events.log)
        .containsExactly("first written", "last failed: IllegalStateException on purpose");
    assertThat(closing.pendingMessages()).isZero();
    content.release();
  }

  @Test
  void aMessageThatCallsBackWhileItIsGathered() throws IOException {
    outbound.write(direct("first"), events.listener("first"));
    outbound.write(
        new Parts("abc", "def") {
          @Override
          public ByteBuffer[] nioBuffers(int index, int length) {
            outbound.close(gone);
            assertThat(events.log).as("not while its bytes are offered").isEmpty();
            return super.nioBuffers(index, length);
          }
        },
        events.listener("second"));
    outbound.flush();
    channel.room = 7;
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("firstab");
    assertThat(events.log).containsExactly("first written", "second failed: IOException gone");
  }

  @Test
  void aMessageThatFailsAllAndThrowsWhileItIsGathered() throws IOException {
    outbound.write(
        new Parts("abc", "def") {
          @Override
          public ByteBuffer[] nioBuffers(int index, int length) {
            outbound.failFlushed(gone);
            throw new IllegalStateException("on purpose");
          }
        },
        events.listener("first"));
    outbound.write(direct("flushed"), events.listener("flushed"));
    outbound.flush();
    outbound.write(direct("only written"), events.listener("only written"));
    assertThatThrownBy(() -> outbound.writeTo(channel)).hasMessage("on purpose");
    assertThat(events.log)
        .containsExactly(
            "first failed: IllegalStateException on purpose", "flushed failed: IOException gone");
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("only written");
  }

  @Test
  void heapContentThatClosesWhenItIsReleased() {
    ByteBuf content = heap("heap");
    ConnectionEvents closed = new ConnectionEvents();
    OutboundBuffer closing = closedByAFailure();
    closing.write(
        new DefaultByteBufHolder(content) {
          @Override
          public boolean release() {
            throw new IllegalStateException("on purpose");
          }
        },
        closed.listener("it"));
    assertThat(closed.log).containsExactly("it failed: IllegalStateException on purpose");
    assertThat(closing.pendingMessages()).isZero();
    content.release();
  }

  @Test
  void aHolderWhoseMethodsFail() {
    ByteBuf content = direct("content");
    DefaultByteBufHolder holder =
        new DefaultByteBufHolder(content) {
          @Override
          public ByteBuf content() {
            throw new IllegalStateException("content");
          }

          @Override
          public int refCnt() {
            throw new IllegalStateException("refCnt");
          }
        };
    assertThat(outbound.write(holder, events.listener("it"))).isFalse();
    assertThat(events.log).containsExactly("it failed: IllegalStateException content");
    assertThat(content.refCnt()).as("released").isZero();
  }

  @Test
  void aChannelThatThrowsAfterItTookSome() {
    write("abc");
    outbound.write(new Parts("de", "fg"), events.listener("parts"));
    write("h");
    outbound.flush();
    channel.throwAfter = 2;
    assertThatThrownBy(() -> outbound.writeTo(channel)).hasMessage("in the middle");
    assertThat(taken()).isEqualTo("abcde");
    assertThat(outbound.pendingBytes()).as("still unknown").isEqualTo(8);
    outbound.close(gone);
    assertThat(events.log)
        .containsExactly(
            "abc failed: IOException gone",
            "parts failed: IOException gone",
            "h failed: IOException gone");
  }

  @Test
  void aChannelThatKeepsAndChangesOfferedBuffers() throws IOException {
    ByteBuffer[] kept = new ByteBuffer[1];
    channel.look = buffer -> kept[0] = buffer.order(ByteOrder.LITTLE_ENDIAN);
    write("first");
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(kept[0].clear().remaining()).isZero();
    channel.look = buffer -> assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    write("second");
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("firstsecond");
  }

  @Test
  void messagesFlushedAfterAChannelFailureDoNotFail() throws IOException {
    write("a");
    outbound.flush();
    channel.room = 0;
    channel.before =
        () -> {
          outbound.failFlushed(gone);
          write("b");
          outbound.flush();
          channel.before = () -> {};
        };
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.CHANNEL_FULL);
    assertThat(events.log).containsExactly("a failed: IOException gone");
    channel.room = 1;
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("b");
  }
}

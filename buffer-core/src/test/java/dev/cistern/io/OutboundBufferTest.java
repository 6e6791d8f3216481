/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.BufferKind;
import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufHolder;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.DefaultByteBufHolder;
import dev.cistern.buffer.EveryKind;
import dev.cistern.buffer.TestAllocators;
import dev.cistern.buffer.Unpooled;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that written messages reach the channel, complete and in order, however many bytes each
 * write to the channel accepts.
 */
@Tag("H1")
class OutboundBufferTest extends OutboundContract {
  private static final int MARGIN = 5;

  @Test
  void nothingIsOfferedBeforeItIsFlushed() throws IOException {
    write("a");
    assertThat(outbound.hasFlushed()).isFalse();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(channel.writes).isZero();
    outbound.flush();
    write("b");
    assertThat(outbound.hasFlushed()).isTrue();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("a");
    assertThat(outbound.pendingMessages()).isEqualTo(1);
    outbound.flush();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("ab");
    assertThat(events.log).containsExactly("a written", "b written");
  }

  @Test
  void manyMessagesAreOfferedInOneWrite() throws IOException {
    for (int i = 0; i < 1024; i++) {
      outbound.write(direct(i + " "));
    }
    outbound.flush();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(channel.writes).isEqualTo(1);
    assertThat(channel.lastBuffers).isEqualTo(1024);
    assertThat(taken()).startsWith("0 1 2 ").endsWith(" 1022 1023 ");
  }

  @Test
  void aWriteOffersBuffersUpToTheLimit() throws IOException {
    OutboundBuffer limited = outbound(SETTINGS.withMaxBuffersPerWrite(3));
    for (int i = 0; i < 8; i++) {
      limited.write(direct("" + i));
    }
    limited.flush();
    channel.before = () -> assertThat(channel.lastBuffers).isBetween(2, 3);
    assertThat(limited.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(channel.writes).isEqualTo(3);
    assertThat(taken()).isEqualTo("01234567");
  }

  @Test
  void aWriteOffersBytesUpToTheLimit() throws IOException {
    OutboundBuffer limited = outbound(SETTINGS.withMaxBytesPerWrite(4));
    limited.write(direct("abc"));
    limited.write(
        new CompositeByteBuf(TestAllocators.POOLED, true, 4)
            .addComponents(true, direct("defg"), direct("hijklmnop")));
    limited.write(direct("q"));
    limited.flush();
    channel.before = () -> assertThat(channel.lastOffer).isLessThanOrEqualTo(4);
    assertThat(limited.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(channel.writes).isEqualTo(5);
    assertThat(taken()).isEqualTo("abcdefghijklmnopq");
  }

  @Test
  void writeToEndsAfterTheLimitOfWrites() throws IOException {
    OutboundBuffer limited = outbound(SETTINGS.withMaxBytesPerWrite(1).withMaxWrites(2));
    limited.write(direct("abcde"));
    limited.flush();
    assertThat(limited.writeTo(channel)).isEqualTo(WriteProgress.MORE);
    assertThat(limited.writeTo(channel)).isEqualTo(WriteProgress.MORE);
    assertThat(limited.pendingBytes()).isEqualTo(1);
    assertThat(limited.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("abcde");
  }

  @EveryKind(readsOnly = true)
  void anyBufferIsWrittenFromTheRightByteOn(BufferKind kind) throws IOException {
    byte[] bytes = random(new Random(42), 100);
    for (int atATime = 1; atATime <= 101; atATime += 10) {
      TestChannel few = new TestChannel();
      ByteBuf buffer = kind.of(bytes);
      buffer.setIndex(MARGIN, bytes.length - 2 * MARGIN);
      outbound.write(direct("<"));
      outbound.write(buffer.retain(), events.listener("it"));
      outbound.write(direct(">"));
      outbound.flush();
      few.room = atATime;
      while (outbound.writeTo(few) == WriteProgress.CHANNEL_FULL) {
        few.room = atATime;
        assertThat(outbound.pendingBytes())
            .isEqualTo(bytes.length - 3 * MARGIN + 2 - few.taken().length);
      }
      assertThat(few.taken()).isEqualTo(framed(bytes, MARGIN, bytes.length - 2 * MARGIN));
      assertThat(buffer.readerIndex()).as("not moved").isEqualTo(MARGIN);
      assertThat(events.log).as("%s at a time", atATime).containsOnly("it written");
      buffer.release();
    }
  }

  private static byte[] framed(byte[] bytes, int from, int to) {
    byte[] framed = new byte[to - from + 2];
    framed[0] = '<';
    System.arraycopy(bytes, from, framed, 1, to - from);
    framed[framed.length - 1] = '>';
    return framed;
  }

  @Test
  void aHolderIsReleasedAsAWhole() throws IOException {
    ByteBufHolder onHeap = new DefaultByteBufHolder(heap("heap "));
    ByteBufHolder inDirectMemory = new DefaultByteBufHolder(direct("direct"));
    outbound.write(onHeap);
    assertThat(onHeap.refCnt()).as("copied, so that it is not needed any more").isZero();
    outbound.write(inDirectMemory);
    assertThat(inDirectMemory.refCnt()).isEqualTo(1);
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("heap direct");
    assertThat(inDirectMemory.refCnt()).isZero();
  }

  @Test
  void oneBufferWaitsInManyQueues() throws IOException {
    ByteBuf shared = direct("shared");
    OutboundBuffer other = outbound(SETTINGS);
    TestChannel slow = new TestChannel();
    slow.room = 1;
    outbound.write(shared.retain());
    outbound.write(shared.retain());
    other.write(shared);
    outbound.flush();
    other.flush();
    other.writeTo(slow);
    outbound.writeTo(channel);
    while (other.writeTo(slow) != WriteProgress.ALL_WRITTEN) {
      assertThat(shared.refCnt()).isEqualTo(1);
      slow.room = 1;
    }
    assertThat(taken()).isEqualTo("sharedshared");
    assertThat(new String(slow.taken(), UTF_8)).isEqualTo("shared");
    assertThat(shared.refCnt()).isZero();
  }

  @Test
  void emptyMessagesAreCompletedInTheirTurn() throws IOException {
    outbound.write(Unpooled.EMPTY_BUFFER, events.listener("nothing"));
    write("a");
    outbound.write(heap(""), events.listener("nothing again"));
    outbound.flush();
    channel.appetite = offered -> 0;
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.CHANNEL_FULL);
    assertThat(events.log).containsExactly("nothing written");
    channel.appetite = offered -> offered;
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(events.log).containsExactly("nothing written", "a written", "nothing again written");
    assertThat(channel.writes).isEqualTo(2);
  }

  @Test
  void onlyEmptyMessagesAreNotOffered() throws IOException {
    outbound.write(Unpooled.EMPTY_BUFFER, events.listener("nothing"));
    outbound.flush();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(channel.writes).isZero();
    assertThat(events.log).containsExactly("nothing written");
  }

  @Test
  void aFutureCompletesWithItsMessage() throws IOException {
    CompletableFuture<?> written = outbound.writeWithFuture(direct("a"));
    CompletableFuture<?> failed = outbound.writeWithFuture(direct("b"));
    channel.room = 1;
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(written).isCompleted();
    assertThat(failed).isNotDone();
    IOException cause = new IOException("gone");
    outbound.close(cause);
    assertThat(failed).isCompletedExceptionally();
    assertThat(failed.handle((none, failure) -> failure)).isCompletedWithValue(cause);
  }

  @Test
  void aCancelledMessageIsNotSent() throws IOException {
    CompletableFuture<?> first = outbound.writeWithFuture(direct("abc"));
    CompletableFuture<?> second = outbound.writeWithFuture(direct("def"));
    write("g");
    second.cancel(false);
    outbound.flush();
    channel.room = 1;
    outbound.writeTo(channel);
    first.cancel(false); // too late to cancel
    channel.room = 100;
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("abcg");
    assertThat(outbound.pendingBytes()).isZero();
    assertThat(outbound.pendingMessages()).isZero();
  }

  @Test
  void countersIncludePendingMessages() throws IOException {
    write("abc");
    write("de");
    assertThat(outbound.pendingBytes()).isEqualTo(5);
    assertThat(outbound.pendingMessages()).isEqualTo(2);
    outbound.flush();
    channel.room = 4;
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.CHANNEL_FULL);
    assertThat(outbound.pendingBytes()).isEqualTo(1);
    assertThat(outbound.pendingMessages()).isEqualTo(1);
    channel.room = 1;
    outbound.writeTo(channel);
    assertThat(outbound.pendingBytes()).isZero();
    assertThat(outbound.pendingMessages()).isZero();
  }
}

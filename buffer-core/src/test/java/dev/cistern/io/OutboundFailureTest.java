/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.DefaultByteBufHolder;
import dev.cistern.buffer.TestAllocators;
import dev.cistern.buffer.Unpooled;
import dev.cistern.util.AbstractReferenceCounted;
import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ReferenceCounted;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of messages that cannot be written, and of the messages around them. */
@Tag("H1")
class OutboundFailureTest extends OutboundContract {
  private final IOException gone = new IOException("gone");

  /** Message that counts its releases. */
  private static final class Strange extends AbstractReferenceCounted {
    int deallocated;

    @Override
    protected void deallocate() {
      deallocated++;
    }

    @Override
    public ReferenceCounted touch(@Nullable Object hint) {
      return this;
    }
  }

  @Test
  void aMessageOfAnotherTypeIsRefusedAndReleasedOnce() {
    Strange strange = new Strange();
    assertThat(outbound.write(strange, events.listener("it"))).isFalse();
    assertThat(strange.deallocated).isEqualTo(1);
    assertThat(events.log)
        .containsExactly(
            "it failed: IllegalArgumentException message of "
                + Strange.class.getName()
                + " (expected: a ByteBuf or a ByteBufHolder)");
    assertThat(outbound.write("text")).isFalse();
    assertThat(events.failures).singleElement().isInstanceOf(IllegalArgumentException.class);
    assertThat(outbound.failures()).isEqualTo(1);
    assertThat(outbound.writeWithFuture(new Strange())).isCompletedExceptionally();
    assertThat(outbound.pendingMessages()).isZero();
    assertThatThrownBy(() -> outbound.write(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void aMessageThatWasReleasedIsRefusedAndNotReleasedAgain() {
    ByteBuf released = direct("a");
    released.release();
    assertThat(outbound.write(released, events.listener("it"))).isFalse();
    assertThat(events.log).containsExactly("it failed: IllegalReferenceCountException refCnt: 0");
    assertThat(outbound.failures()).isZero();
  }

  @Test
  void afterCloseMessagesAreRefused() {
    outbound.close(gone);
    ByteBuf late = direct("late");
    Throwable[] refusal = new Throwable[1];
    assertThat(outbound.write(late, failure -> refusal[0] = failure)).isFalse();
    assertThat(late.refCnt()).isZero();
    assertThat(refusal[0]).isInstanceOf(ClosedChannelException.class).hasCause(gone);
    assertThat(outbound.isClosed()).isTrue();
    outbound.close(new IOException("a second time"));
    assertThat(outbound.write(direct("later"), failure -> refusal[0] = failure)).isFalse();
    assertThat(refusal[0]).hasCause(gone);
  }

  @Test
  void closeFailsAllMessagesAndFailFlushedOnlyFlushedOnes() throws IOException {
    write("a");
    write("b");
    outbound.flush();
    write("c");
    outbound.failFlushed(gone);
    assertThat(events.log)
        .containsExactly("a failed: IOException gone", "b failed: IOException gone");
    assertThat(outbound.pendingMessages()).isEqualTo(1);
    assertThat(outbound.pendingBytes()).isEqualTo(1);
    assertThat(outbound.hasFlushed()).isFalse();
    outbound.failFlushed(gone);
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("c");
    write("d");
    outbound.close(gone);
    assertThat(events.log).endsWith("c written", "d failed: IOException gone");
    assertThat(outbound.pendingBytes()).isZero();
  }

  @Test
  void aChannelThatThrowsLeavesTheQueueAsItWas() throws IOException {
    write("abc");
    write("def");
    outbound.flush();
    channel.room = 2;
    outbound.writeTo(channel);
    channel.before =
        () -> {
          throw gone;
        };
    assertThatThrownBy(() -> outbound.writeTo(channel)).isSameAs(gone);
    assertThat(outbound.pendingBytes()).isEqualTo(4);
    channel.before =
        () -> {
          throw new StackOverflowError("on purpose");
        };
    assertThatThrownBy(() -> outbound.writeTo(channel)).isInstanceOf(StackOverflowError.class);
    channel.before = () -> {};
    channel.room = 100;
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("abcdef");
    write("g");
    outbound.flush();
    channel.before =
        () -> {
          throw gone;
        };
    assertThatThrownBy(() -> outbound.writeTo(channel)).isSameAs(gone);
    outbound.close(gone);
    assertThat(events.log).endsWith("g failed: IOException gone");
  }

  @Test
  void aChannelThatReportsAWrongCountIsRefused() {
    write("abc");
    outbound.flush();
    channel.answer = bytes -> 4;
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(": 4 (expected: 0 to 3)");
    channel.answer = bytes -> -1;
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(": -1 (expected: 0 to 3)");
    assertThat(outbound.pendingBytes()).isEqualTo(3);
    outbound.close(gone);
  }

  @Test
  void aChannelThatClosesInTheMiddleOfAWrite() throws IOException {
    write("abc");
    write("def");
    write("ghi");
    outbound.flush();
    write("later");
    channel.before = () -> outbound.close(gone);
    channel.appetite = offered -> 4;
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("abcd");
    assertThat(events.log)
        .containsExactly(
            "abc written",
            "def failed: IOException gone",
            "ghi failed: IOException gone",
            "later failed: IOException gone");
    assertThat(outbound.pendingBytes()).isZero();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
  }

  @Test
  void aChannelThatClosesAndThrows() {
    write("abc");
    outbound.flush();
    channel.before =
        () -> {
          outbound.close(gone);
          throw new IOException("thrown");
        };
    assertThatThrownBy(() -> outbound.writeTo(channel)).hasMessage("thrown");
    assertThat(events.log).containsExactly("abc failed: IOException gone");
  }

  @Test
  void aChannelThatFailsOrWritesInTheMiddleOfAWrite() throws IOException {
    write("abc");
    outbound.flush();
    channel.appetite = offered -> 1;
    channel.before =
        () -> {
          channel.before = () -> {};
          write("def");
          outbound.flush();
          write("ghi");
          assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.MORE);
          outbound.failFlushed(gone);
          assertThat(events.log).as("not before the channel returns").isEmpty();
        };
    outbound.writeTo(channel);
    assertThat(events.log)
        .containsExactly("abc failed: IOException gone", "def failed: IOException gone");
    channel.appetite = offered -> offered;
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("aghi");
  }

  @Test
  void aMessageThatIsReleasedWhileItWaitsFailsAlone() throws IOException {
    ByteBuf early = direct("early");
    write("before");
    outbound.write(early, events.listener("early"));
    write("after");
    outbound.flush();
    early.release();
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(taken()).as("those before it are written").isEqualTo("before");
    assertThat(events.log)
        .containsExactly(
            "before written", "early failed: IllegalReferenceCountException refCnt: 0");
    assertThat(events.failures).singleElement().isInstanceOf(IllegalReferenceCountException.class);
    assertThat(outbound.pendingBytes()).isEqualTo(5);
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("beforeafter");
  }

  @Test
  void aMessageThatIsReleasedAfterItsFirstByte() throws IOException {
    ByteBuf early = direct("early");
    outbound.write(early, events.listener("early"));
    outbound.flush();
    channel.room = 2;
    outbound.writeTo(channel);
    early.release();
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(taken()).isEqualTo("ea");
    assertThat(outbound.pendingBytes()).isZero();
    assertThat(outbound.pendingMessages()).isZero();
  }

  @Test
  void aReleasedBufferInPartsIsFound() throws IOException {
    ByteBuf parts = Unpooled.compositeBuffer().addComponents(true, direct("ab"), direct("cd"));
    outbound.write(parts, events.listener("it"));
    outbound.flush();
    channel.room = 1;
    outbound.writeTo(channel);
    parts.release();
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThat(events.log).containsExactly("it failed: IllegalReferenceCountException refCnt: 0");
    assertThat(outbound.pendingMessages()).isZero();
  }

  @Test
  void aMessageThatIsMadeSmallerFails() {
    ByteBuf shrinking = TestAllocators.POOLED.directBuffer(1000).writeZero(1000);
    outbound.write(shrinking, events.listener("it"));
    outbound.flush();
    shrinking.capacity(100);
    assertThatThrownBy(() -> outbound.writeTo(channel))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("999")
        .hasMessageContaining("100");
    assertThat(shrinking.refCnt()).isZero();
    assertThat(channel.writes).isZero();
  }

  @Test
  void aMessageMayGrowWhileItWaits() throws IOException {
    ByteBuf growing = direct("abc");
    outbound.write(growing);
    outbound.flush();
    growing.writeZero(100_000);
    outbound.writeTo(channel);
    assertThat(taken()).as("what was readable when it was written").isEqualTo("abc");
  }

  @Test
  void aListenerThatThrowsHarmsNoOther() throws IOException {
    AssertionError thrown = new AssertionError("on purpose");
    outbound.write(
        direct("a"),
        failure -> {
          throw thrown;
        });
    write("b");
    outbound.flush();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(events.log).containsExactly("b written");
    assertThat(events.failures).containsExactly(thrown);
    assertThat(outbound.failures()).isEqualTo(1);
    outbound.write(
        "refused",
        failure -> {
          throw thrown;
        });
    assertThat(outbound.failures()).isEqualTo(2);
  }

  @Test
  void aMessageThatCannotBeReleasedHarmsNoOther() throws IOException {
    IllegalStateException thrown = new IllegalStateException("on purpose");
    ByteBuf bytes = direct("a");
    outbound.write(
        new DefaultByteBufHolder(bytes) {
          @Override
          public boolean release() {
            throw thrown;
          }
        },
        events.listener("a"));
    write("b");
    outbound.flush();
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("ab");
    assertThat(events.log).containsExactly("a written", "b written");
    assertThat(events.failures).containsExactly(thrown);
    bytes.release();
  }

  @Test
  void aListenerMayCallBack() throws IOException {
    outbound.write(
        direct("a"),
        failure -> {
          write("c");
          outbound.flush();
          try {
            assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.MORE);
          } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
          }
        });
    write("b");
    outbound.flush();
    assertThat(outbound.writeTo(channel)).isEqualTo(WriteProgress.ALL_WRITTEN);
    assertThat(taken()).isEqualTo("abc");
    assertThat(events.log).containsExactly("b written", "c written");
    assertThat(events.failures).isEmpty();
  }

  @Test
  void aListenerMayClose() throws IOException {
    outbound.write(direct("a"), failure -> outbound.close(gone));
    write("b");
    write("c");
    outbound.flush();
    channel.appetite = offered -> 2;
    outbound.writeTo(channel);
    assertThat(events.log).containsExactly("c failed: IOException gone", "b written");
    assertThat(outbound.pendingMessages()).isZero();
    assertThat(events.failures).isEmpty();
  }

  @Test
  void aListenerOfAFailureMayCloseAndWrite() {
    outbound.write(
        direct("a"),
        failure -> {
          outbound.write(direct("late"), events.listener("late"));
          outbound.close(gone);
        });
    write("b");
    outbound.flush();
    outbound.failFlushed(gone);
    assertThat(events.log)
        .containsExactlyInAnyOrder("late failed: IOException gone", "b failed: IOException gone");
    assertThat(outbound.pendingMessages()).isZero();
  }

  @Test
  void aChannelThatWritesToAnotherOutboundBuffer() throws IOException {
    TestChannel inner = new TestChannel();
    OutboundBuffer behind = outbound(SETTINGS);
    write("abc");
    write("def");
    outbound.flush();
    channel.before =
        () -> {
          behind.write(direct("1"));
          behind.write(direct("2"));
          behind.flush();
          behind.writeTo(inner);
        };
    outbound.writeTo(channel);
    assertThat(taken()).isEqualTo("abcdef");
    assertThat(inner.taken()).containsExactly('1', '2');
  }

  @Test
  void failuresAreCountedWithoutAListener() {
    OutboundBuffer unheard = new OutboundBuffer(SETTINGS, OutboundListener.NONE);
    assertThat(unheard.write("text")).isFalse();
    assertThat(unheard.failures()).isEqualTo(1);
  }
}

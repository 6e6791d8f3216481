/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cistern.util.CharsetUtil;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the arrays that transfers of text to and from a buffer allocate. */
@Tag("B7")
@Unwatched("a watched buffer records its uses, which makes garbage")
class StringTransfersMemoryTest {
  private static final int CALLS = 10_000;

  /** Number of calls during which the JDK allocates for a method handle. */
  private static final int WARM_UP_CALLS = 2_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static void assertNoGarbage(Runnable call) {
    Thread thread = Thread.currentThread();
    for (int i = 0; i < WARM_UP_CALLS; i++) {
      call.run();
    }
    long before = THREADS.getThreadAllocatedBytes(thread.getId());
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    long bytes = THREADS.getThreadAllocatedBytes(thread.getId()) - before;
    assertThat(bytes).as("bytes of %d calls", CALLS).isLessThan(CALLS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"forty-two characters, one of each is ASCII!", "caf\u00e9", "\u0416\u4e2d"})
  void aStringIsSetAndWrittenWithoutGarbage(String text) {
    for (ByteBuf buffer : new ByteBuf[] {Unpooled.buffer(256), Unpooled.directBuffer(256)}) {
      assertNoGarbage(() -> buffer.setCharSequence(7, text, CharsetUtil.UTF_8));
      assertNoGarbage(() -> buffer.clear().writeCharSequence(text, CharsetUtil.UTF_8));
      assertThat(buffer.toString(CharsetUtil.UTF_8)).isEqualTo(text);
      buffer.release();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "US-ASCII"})
  void aStringOfOneByteACharacterIsSetWithoutGarbage(String charset) {
    Charset chosen = Charset.forName(charset);
    ByteBuf buffer = Unpooled.buffer(256);
    assertNoGarbage(() -> buffer.setCharSequence(0, "text", chosen));
    assertThat(buffer.toString(0, 4, chosen)).isEqualTo("text");
    buffer.release();
  }

  @Test
  void theBytesOfAnyTextAreCountedWithoutGarbage() {
    StringBuilder text = new StringBuilder("a\u00e9\u4e2d").appendCodePoint(0x1F600);
    assertThat(ByteBufUtil.utf8Bytes(text)).isEqualTo(10);
    assertNoGarbage(() -> ByteBufUtil.utf8Bytes(text));
  }

  /** A charset with the name UTF-8 that reads another buffer before it decodes. */
  private static final class Disguised extends Charset {
    private final ByteBuf other;

    Disguised(ByteBuf other) {
      super("UTF-8", null);
      this.other = other;
    }

    @Override
    public boolean contains(Charset charset) {
      return true;
    }

    @Override
    public CharsetDecoder newDecoder() {
      assertThat(other.toString(StandardCharsets.UTF_8)).isEqualTo("other text");
      return StandardCharsets.UTF_8.newDecoder();
    }

    @Override
    public CharsetEncoder newEncoder() {
      return StandardCharsets.UTF_8.newEncoder();
    }
  }

  @Test
  void aCharsetThatReadsAnotherBufferDoesNotChangeTheText() {
    ByteBuf buffer = Unpooled.directBuffer().writeBytes("first text".getBytes(CharsetUtil.UTF_8));
    ByteBuf other = Unpooled.directBuffer().writeBytes("other text".getBytes(CharsetUtil.UTF_8));
    assertThat(buffer.toString(new Disguised(other))).isEqualTo("first text");
    buffer.release();
    other.release();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PoolCheck;
import dev.cistern.buffer.TestAllocators;
import dev.cistern.fixture.ParkedThreads;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a parked virtual thread keeps no memory of the buffers that it used. */
@Tag("virtual-threads")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
@ExtendWith(PoolCheck.class)
class VirtualThreadMemoryTest {
  /** Limit of the bytes beyond those of a virtual thread that did nothing. */
  private static final int MAX_BYTES = 512;

  private static final int TEXT_BYTES = 16 * 1024;

  /** Channel that accepts all bytes, and keeps nothing. */
  private final DirectOnly sink =
      new DirectOnly() {
        @Override
        void take(ByteBuffer piece) {
          piece.position(piece.limit());
        }
      };

  @Test
  void afterDecodingText() throws Exception {
    for (Charset charset : new Charset[] {UTF_8, StandardCharsets.UTF_16BE}) {
      assertKeepsNothing(text -> text.toString(charset));
    }
  }

  @Test
  void afterWritingText() throws Exception {
    CharSequence chars = CharBuffer.wrap("a".repeat(TEXT_BYTES / 2)); // not a String
    assertKeepsNothing(
        text -> text.slice(0, TEXT_BYTES).writerIndex(0).setCharSequence(0, chars, UTF_8));
  }

  private static void assertKeepsNothing(Function<ByteBuf, ?> use) throws Exception {
    ByteBuf text = TestAllocators.POOLED.directBuffer(TEXT_BYTES).writeZero(TEXT_BYTES);
    double bytes = ParkedThreads.bytesKeptByEach(() -> assertThat(use.apply(text)).isNotNull());
    System.out.printf("text: %.0f bytes of heap kept by each parked virtual thread%n", bytes);
    assertThat(bytes).isLessThanOrEqualTo(MAX_BYTES);
    text.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4096})
  void afterWritingToAnOutboundBuffer(int messages) throws Exception {
    ByteBuf message = TestAllocators.POOLED.directBuffer(16).writeInt(42);
    double bytes =
        ParkedThreads.bytesKeptByEach(
            () -> {
              OutboundBuffer outbound =
                  new OutboundBuffer(
                      OutboundSettings.of(TestAllocators.POOLED), OutboundListener.NONE);
              for (int i = 0; i < messages; i++) {
                outbound.write(message.retain());
              }
              outbound.flush();
              assertThat(outbound.writeTo(sink)).isEqualTo(WriteProgress.ALL_WRITTEN);
              outbound.close();
            });
    System.out.printf(
        "%d messages: %.0f bytes of heap kept by each parked virtual thread%n", messages, bytes);
    assertThat(bytes).isLessThanOrEqualTo(MAX_BYTES);
    message.release();
  }
}

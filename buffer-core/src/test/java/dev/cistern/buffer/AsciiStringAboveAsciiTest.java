/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.AsciiString;
import dev.cistern.util.CharsetUtil;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of an {@link AsciiString} with bytes above 127 as a text. These bytes are characters of
 * ISO-8859-1, which {@code setCharSequence} and {@code writeCharSequence} encode like any other
 * text. {@code writeAscii} and {@code writeUtf8} of {@link ByteBufUtil} copy the bytes unchanged.
 */
@Tag("B7")
@Tag("D3")
class AsciiStringAboveAsciiTest {
  private static final int MARGIN_BYTES = 3;
  private static final byte[] BYTES = {'a', -23, -1, 'b', -128};

  private static AsciiString text() {
    byte[] longer = new byte[BYTES.length + 2];
    System.arraycopy(BYTES, 0, longer, 1, BYTES.length);
    return new AsciiString(longer, 1, BYTES.length, false);
  }

  private static byte[] between(ByteBuf buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(MARGIN_BYTES, bytes);
    return bytes;
  }

  private static void isWrittenAsText(ByteBuf buffer) {
    for (Charset charset : CharsetUtil.values()) {
      byte[] expected = new String(BYTES, CharsetUtil.ISO_8859_1).getBytes(charset);
      buffer.setZero(0, buffer.capacity());
      assertThat(buffer.setCharSequence(MARGIN_BYTES, text(), charset)).isEqualTo(expected.length);
      assertThat(between(buffer, expected.length)).as("%s", charset).isEqualTo(expected);
      assertThat(buffer.getByte(MARGIN_BYTES - 1)).isZero();
      assertThat(buffer.getByte(MARGIN_BYTES + expected.length)).isZero();
      buffer.setZero(0, buffer.capacity()).setIndex(0, MARGIN_BYTES);
      assertThat(buffer.writeCharSequence(text(), charset)).isEqualTo(expected.length);
      assertThat(buffer.writerIndex()).isEqualTo(MARGIN_BYTES + expected.length);
      assertThat(between(buffer, expected.length)).as("%s", charset).isEqualTo(expected);
      int tooFar = buffer.capacity() - expected.length + 1;
      assertThatThrownBy(() -> buffer.setCharSequence(tooFar, text(), charset))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    buffer.setIndex(0, MARGIN_BYTES);
    assertThat(ByteBufUtil.writeAscii(buffer, text())).isEqualTo(BYTES.length);
    assertThat(between(buffer, BYTES.length)).isEqualTo(BYTES);
    buffer.setZero(0, buffer.capacity()).setIndex(0, MARGIN_BYTES);
    assertThat(ByteBufUtil.writeUtf8(buffer, text())).isEqualTo(BYTES.length);
    assertThat(between(buffer, BYTES.length)).isEqualTo(BYTES);
    assertThat(ByteBufUtil.reserveAndWriteUtf8(buffer, text(), BYTES.length))
        .isEqualTo(BYTES.length);
    assertThat(buffer.getByte(MARGIN_BYTES + BYTES.length + 1)).isEqualTo((byte) -23);
  }

  @EveryKind
  void isTheTextOfItsBytesInLatin1(BufferKind kind) {
    ByteBuf buffer = kind.buffer(20);
    isWrittenAsText(buffer);
    buffer.release();
  }

  @Test
  @Tag("C3")
  void isTheSameForEachEndOfAComponent() {
    for (int end = 0; end <= 20; end++) {
      CompositeByteBuf composite =
          new CompositeByteBuf(TestAllocators.UNPOOLED, false, 4)
              .addComponent(true, Unpooled.directBuffer(20).writeZero(end))
              .addComponent(true, Unpooled.buffer(20).writeZero(20 - end));
      isWrittenAsText(composite);
      isWrittenAsText(composite.slice(0, 20));
      composite.release();
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.buffer.BufferKind.Trait;
import dev.cistern.testing.TestLength;
import dev.cistern.util.AsciiString;
import dev.cistern.util.CharsetUtil;
import dev.cistern.util.IllegalReferenceCountException;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/** Tests of text transfers to and from every kind of buffer, against the JDK's encoding. */
class StringTransfersTest {
  private static final int ROUNDS = TestLength.choose(400, 2_000, 50_000);
  private static final int MARGIN_BYTES = 3;

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /**
   * Returns a text of one of these kinds: only ASCII; with some Latin-1; with some characters
   * beyond it; any characters, including unpaired surrogates.
   */
  private String anyText() {
    int kind = random.nextInt(5);
    int length = random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(101);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      char other =
          switch (random.nextInt(4)) {
            case 0 -> (char) random.nextInt(0xD800, 0xDC00);
            case 1 -> (char) random.nextInt(0xDC00, 0xE000);
            case 2 -> (char) random.nextInt(0x800);
            default -> (char) random.nextInt(0x10000);
          };
      boolean isAscii = kind == 0 || (kind < 4 && random.nextInt(10) > 0);
      if (isAscii) {
        text.append((char) random.nextInt(0x80));
      } else if (kind == 1) {
        text.append((char) random.nextInt(0x100));
      } else if (kind == 2) {
        text.appendCodePoint(random.nextInt(0xE000, 0x11_0000));
      } else {
        text.append(other);
      }
    }
    return text.toString();
  }

  private CharSequence anyForm(String text) {
    return random.nextBoolean() ? CharBuffer.wrap(text) : text;
  }

  private static byte[] readable(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  private static byte[] latin1(CharSequence text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (text.charAt(i) > 0xFF ? '?' : text.charAt(i));
    }
    return bytes;
  }

  @EveryKind
  @Tag("D3")
  void writesUtf8AsTheJdkDoes(BufferKind kind) {
    System.out.println("seed " + seed);
    for (int round = 0; round < ROUNDS; round++) {
      String text = anyText();
      CharSequence form = anyForm(text);
      int start = random.nextInt(text.length() + 1);
      int end = random.nextInt(start, text.length() + 1);
      byte[] all = text.getBytes(StandardCharsets.UTF_8);
      byte[] part = text.substring(start, end).getBytes(StandardCharsets.UTF_8);
      String as = "seed " + seed + ", round " + round + ", " + kind;
      assertThat(ByteBufUtil.utf8Bytes(form)).as(as).isEqualTo(all.length);
      assertThat(ByteBufUtil.utf8Bytes(form, start, end)).as(as).isEqualTo(part.length);
      ByteBuf buffer = kind.buffer(MARGIN_BYTES + ByteBufUtil.utf8MaxBytes(text) + 1);
      buffer.setIndex(MARGIN_BYTES, MARGIN_BYTES);
      assertThat(ByteBufUtil.writeUtf8(buffer, form)).as(as).isEqualTo(all.length);
      assertThat(readable(buffer)).as(as).isEqualTo(all);
      onlyThese(buffer, MARGIN_BYTES, all.length, as);
      buffer.setZero(0, buffer.capacity()).setIndex(MARGIN_BYTES, MARGIN_BYTES);
      assertThat(ByteBufUtil.writeUtf8(buffer, form, start, end)).as(as).isEqualTo(part.length);
      assertThat(readable(buffer)).as(as).isEqualTo(part);
      onlyThese(buffer, MARGIN_BYTES, part.length, as);
      buffer.release();
    }
  }

  /** Asserts that no byte outside of the range has changed. */
  private static void onlyThese(ByteBuf buffer, int index, int length, String as) {
    for (int i = 0; i < buffer.capacity(); i++) {
      if (i < index || i >= index + length) {
        assertThat(buffer.getByte(i)).as(as + ", byte " + i).isZero();
      }
    }
  }

  @EveryKind
  @Tag("D3")
  void writesUtf8IntoRoomThatIsJustEnough(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      String text = anyText();
      byte[] expected = text.getBytes(StandardCharsets.UTF_8);
      ByteBuf buffer = kind.buffer(expected.length, expected.length);
      String as = "seed " + seed + ", round " + round + ", " + kind;
      assertThat(ByteBufUtil.reserveAndWriteUtf8(buffer, anyForm(text), expected.length))
          .as(as)
          .isEqualTo(expected.length);
      assertThat(readable(buffer)).as(as).isEqualTo(expected);
      buffer.release();
      if (expected.length > 0) {
        ByteBuf small = kind.buffer(expected.length - 1, expected.length - 1);
        if (small.maxCapacity() < expected.length) {
          CharSequence form = anyForm(text);
          assertThatThrownBy(() -> ByteBufUtil.reserveAndWriteUtf8(small, form, 0))
              .as(as)
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThat(small.writerIndex()).as(as).isZero();
        }
        small.release();
      }
    }
  }

  @EveryKind
  @Tag("D3")
  void writesEachCharacterAsOneByte(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      String text = anyText();
      ByteBuf buffer = kind.buffer(MARGIN_BYTES + text.length());
      buffer.setIndex(MARGIN_BYTES, MARGIN_BYTES);
      String as = "seed " + seed + ", round " + round + ", " + kind;
      assertThat(ByteBufUtil.writeAscii(buffer, anyForm(text))).as(as).isEqualTo(text.length());
      assertThat(readable(buffer)).as(as).isEqualTo(latin1(text));
      onlyThese(buffer, MARGIN_BYTES, text.length(), as);
      buffer.release();
    }
  }

  @EveryKind
  @Tag("D3")
  void writesAsciiStringsAsTheyAre(BufferKind kind) {
    AsciiString ascii = new AsciiString(new byte[] {0, 'a', 'b', -23, 0}, 1, 3, false);
    ByteBuf buffer = kind.buffer(20);
    assertThat(ByteBufUtil.writeAscii(buffer, ascii)).isEqualTo(3);
    assertThat(ByteBufUtil.writeUtf8(buffer, ascii)).isEqualTo(3);
    assertThat(ByteBufUtil.writeUtf8(buffer, ascii, 1, 3)).isEqualTo(2);
    assertThat(readable(buffer)).containsExactly('a', 'b', -23, 'a', 'b', -23, 'b', -23);
    assertThat(ByteBufUtil.utf8Bytes(ascii)).isEqualTo(3);
    assertThat(ByteBufUtil.utf8MaxBytes(ascii)).isEqualTo(3);
    buffer.release();
  }

  @EveryKind
  @Tag("D3")
  @SuppressWarnings("deprecation") // order() is deprecated
  void writesThroughWrappersAsWithoutThem(BufferKind kind) {
    for (String text : List.of("abc", "caf\u00e9", "\u20ac \ud83d\ude00 \ud800")) {
      ByteBuf buffer = kind.buffer(100);
      ByteBuf unreleasable = Unpooled.unreleasableBuffer(buffer);
      ByteBuf swapped = unreleasable.order(java.nio.ByteOrder.LITTLE_ENDIAN);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      assertThat(ByteBufUtil.writeUtf8(unreleasable, text)).isEqualTo(bytes.length);
      assertThat(ByteBufUtil.writeUtf8(swapped, text)).isEqualTo(bytes.length);
      assertThat(ByteBufUtil.writeAscii(swapped, text)).isEqualTo(text.length());
      assertThat(unreleasable.writerIndex()).isEqualTo(2 * bytes.length + text.length());
      ByteBuf expected = kind.buffer(100);
      expected.writeBytes(bytes).writeBytes(bytes).writeBytes(latin1(text));
      assertThat((Object) buffer).isEqualTo(expected);
      assertThat(swapped.toString(0, bytes.length, StandardCharsets.UTF_8))
          .isEqualTo(new String(bytes, StandardCharsets.UTF_8));
      assertThat(ByteBufUtil.compare(swapped, expected)).isZero();
      assertThat(ByteBufUtil.hashCode(swapped)).isEqualTo(ByteBufUtil.hashCode(expected));
      buffer.release();
      expected.release();
    }
  }

  @EveryGrowingKind
  @Tag("D3")
  void growsByTheLargestSizeATextCanNeed(BufferKind kind) {
    ByteBuf buffer = kind.buffer(1);
    String text = "\u20ac".repeat(5000);
    assertThat(ByteBufUtil.writeUtf8(buffer, text)).isEqualTo(15_000);
    assertThat(ByteBufUtil.reserveAndWriteUtf8(buffer, text, 0)).isEqualTo(15_000);
    assertThat(ByteBufUtil.writeAscii(buffer, text)).isEqualTo(5000);
    assertThat(buffer.toString(0, 15_000, StandardCharsets.UTF_8)).isEqualTo(text);
    buffer.release();
  }

  @EveryKind
  @Tag("D3")
  void aTextThatFailsLeavesTheIndexUnchanged(BufferKind kind) {
    ByteBuf buffer = kind.buffer(100);
    CharSequence broken =
        new CharSequence() {
          @Override
          public int length() {
            return 10;
          }

          @Override
          public char charAt(int index) {
            if (index == 7) {
              throw new IllegalStateException("broken");
            }
            return 'x';
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            throw new IllegalStateException("broken");
          }
        };
    for (int round = 0; round < 3; round++) {
      assertThatThrownBy(() -> ByteBufUtil.writeUtf8(buffer, broken)).hasMessage("broken");
      assertThatThrownBy(() -> ByteBufUtil.writeAscii(buffer, broken)).hasMessage("broken");
      assertThatThrownBy(() -> ByteBufUtil.utf8Bytes(broken)).hasMessage("broken");
    }
    assertThat(buffer.writerIndex()).isZero();
    buffer.release();
  }

  @EveryKind
  @Tag("B7")
  void encodesAndDecodesEveryCharsetAsTheJdkDoes(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      String text = anyText();
      Charset charset = CharsetUtil.values()[random.nextInt(CharsetUtil.values().length)];
      byte[] expected = text.getBytes(charset);
      String as = "seed " + seed + ", round " + round + ", " + kind + ", " + charset;
      ByteBuf buffer = kind.buffer(MARGIN_BYTES + expected.length, MARGIN_BYTES + expected.length);
      buffer.setIndex(MARGIN_BYTES, MARGIN_BYTES);
      assertThat(buffer.writeCharSequence(anyForm(text), charset))
          .as(as)
          .isEqualTo(expected.length);
      assertThat(readable(buffer)).as(as).isEqualTo(expected);
      assertThat(buffer.toString(charset)).as(as).isEqualTo(new String(expected, charset));
      buffer.setZero(0, buffer.capacity());
      assertThat(buffer.setCharSequence(MARGIN_BYTES, anyForm(text), charset))
          .as(as)
          .isEqualTo(expected.length);
      assertThat(readable(buffer)).as(as).isEqualTo(expected);
      onlyThese(buffer, MARGIN_BYTES, expected.length, as);
      CharSequence read = buffer.getCharSequence(MARGIN_BYTES, expected.length, charset);
      boolean isOneByte = List.of(CharsetUtil.US_ASCII, CharsetUtil.ISO_8859_1).contains(charset);
      assertThat((Object) read)
          .as(as)
          .isInstanceOf(isOneByte ? AsciiString.class : String.class)
          .hasToString(new String(expected, isOneByte ? CharsetUtil.ISO_8859_1 : charset));
      buffer.release();
    }
  }

  @EveryKind(readsOnly = true)
  @Tag("B7")
  void bytesThatAreNoTextBecomeReplacements(BufferKind kind) {
    byte[] bytes = new byte[300];
    random.nextBytes(bytes);
    ByteBuf buffer = kind.of(bytes);
    for (Charset charset : CharsetUtil.values()) {
      assertThat(buffer.toString(charset))
          .as("seed " + seed + ", " + charset)
          .isEqualTo(new String(bytes, charset));
      assertThat(buffer.toString(1, 200, charset))
          .as("seed " + seed + ", " + charset)
          .isEqualTo(new String(bytes, 1, 200, charset));
    }
    buffer.release();
  }

  @EveryKind(without = Trait.UNCOUNTED)
  @Tag("B7")
  void toStringNeverThrows(BufferKind kind) {
    ByteBuf buffer = kind.of((byte) 1, (byte) 2);
    ByteBuf view = buffer.slice();
    assertThat(buffer.toString()).contains("ridx: 0, widx: 2");
    buffer.release();
    assertThat(buffer.toString()).contains("freed");
    assertThat(view.toString()).contains("freed");
    assertThatThrownBy(() -> buffer.toString(CharsetUtil.UTF_8))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> ByteBufUtil.writeUtf8(buffer, "a"))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> ByteBufUtil.writeAscii(buffer, "a"))
        .isInstanceOf(IllegalReferenceCountException.class);
  }

  @EveryKind
  @Tag("D3")
  void readOnlyBuffersRefuseTexts(BufferKind kind) {
    ByteBuf buffer = kind.buffer(40);
    ByteBuf readOnly = buffer.asReadOnly();
    for (CharSequence text : List.of("a\u20ac", "ab", new AsciiString("ab"))) {
      assertThatThrownBy(() -> ByteBufUtil.writeUtf8(readOnly, text))
          .isInstanceOf(java.nio.ReadOnlyBufferException.class);
      assertThatThrownBy(() -> ByteBufUtil.writeAscii(readOnly, text))
          .isInstanceOf(java.nio.ReadOnlyBufferException.class);
      assertThatThrownBy(() -> readOnly.setCharSequence(0, text, CharsetUtil.UTF_8))
          .isInstanceOf(java.nio.ReadOnlyBufferException.class);
      assertThatThrownBy(() -> readOnly.writeCharSequence(text, CharsetUtil.US_ASCII))
          .isInstanceOf(java.nio.ReadOnlyBufferException.class);
    }
    onlyThese(buffer, 0, 0, kind.toString());
    buffer.release();
  }

  @EveryKind
  @Tag("D3")
  void aTextThatUsesBuffersItselfDoesNotDisturbTheOneUnderWay(BufferKind kind) {
    ByteBuf inner = kind.buffer(20);
    ByteBufUtil.writeUtf8(inner, "inner");
    CharSequence text =
        new CharSequence() {
          @Override
          public int length() {
            return 5;
          }

          @Override
          public char charAt(int index) {
            ByteBuf direct = inner.copy();
            ByteBufUtil.utf8Bytes(CharBuffer.wrap("zzzzzzzzzzzz"));
            char c = direct.toString(CharsetUtil.UTF_8).charAt(index);
            direct.release();
            return c;
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            throw new UnsupportedOperationException();
          }
        };
    ByteBuf buffer = kind.buffer(20);
    ByteBufUtil.writeUtf8(buffer, text);
    assertThat(buffer.toString(CharsetUtil.UTF_8)).isEqualTo("inner");
    buffer.release();
    inner.release();
  }

  @EveryKind(readsOnly = true)
  @Tag("D2")
  void reportsWhetherBytesAreText(BufferKind kind) {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = anyText().getBytes(CharsetUtil.UTF_8);
      for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Charset charset = CharsetUtil.values()[random.nextInt(CharsetUtil.values().length)];
      ByteBuf buffer = kind.of(bytes);
      int index = random.nextInt(Math.min(bytes.length, 4) + 1);
      int length = bytes.length - index;
      byte[] range = Arrays.copyOfRange(bytes, index, bytes.length);
      assertThat(ByteBufUtil.isText(buffer, index, length, charset))
          .as("seed %d, round %d, %s, %s", seed, round, kind, charset)
          .isEqualTo(isText(range, charset));
      buffer.release();
    }
  }

  private static boolean isText(byte[] bytes, Charset charset) {
    try {
      charset.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes)); // reports errors
      return true;
    } catch (java.nio.charset.CharacterCodingException malformed) {
      return false;
    }
  }
}

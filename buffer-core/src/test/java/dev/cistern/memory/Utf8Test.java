/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static dev.cistern.memory.MemoryAccess.BYTE_ARRAY_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the encoding of two-byte characters to UTF-8 against the JDK's, and that no other byte
 * changes.
 */
@Tag("D3")
class Utf8Test {
  private static final int ROUNDS = TestLength.choose(20_000, 100_000, 2_000_000);
  private static final int MAX_CHARS = 40;
  private static final int MARGIN_BYTES = 16;
  private static final byte UNTOUCHED = 0x55;

  /**
   * The first and last characters of each encoded length and of both kinds of surrogates, and some
   * between.
   */
  private static final String ENDS =
      "\0A\u007f\u0080\u0439\u07ff\u0800\u20ac\u4e00\ud7ff\ud800\ud83d\udbff\udc00\ude00\udfff\ue000"
          + "\uff0c\uffff";

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final byte[] heap = new byte[2 * MARGIN_BYTES + 3 * MAX_CHARS];
  private final ByteBuffer direct = ByteBuffer.allocateDirect(heap.length);

  private char anyChar(int script) {
    return switch (script) {
      case 0 -> ENDS.charAt(random.nextInt(ENDS.length()));
      case 1 -> (char) random.nextInt(0x80);
      case 2 -> (char) random.nextInt(0x80, 0x800);
      case 3 -> (char) random.nextInt(0x800, 0xD800);
      case 4 -> (char) random.nextInt(0xD800, 0xE000);
      default -> (char) random.nextInt(0x10000);
    };
  }

  /**
   * Returns a text of one script, or of two in sequence, with a varying share of other characters.
   */
  private char[] anyText(int length) {
    char[] text = new char[length];
    int first = random.nextInt(6);
    int second = random.nextInt(6);
    int change = random.nextBoolean() ? length : random.nextInt(length + 1);
    int others = random.nextInt(1, 30);
    for (int i = 0; i < length; i++) {
      int script = i < change ? first : second;
      text[i] = anyChar(random.nextInt(30) < others ? script : random.nextInt(6));
    }
    return text;
  }

  @Test
  void encodesScriptsAndMixturesOfThemAsTheJdkDoes() {
    System.out.println("seed " + seed);
    for (int round = 0; round < ROUNDS; round++) {
      char[] text = anyText(random.nextInt(MAX_CHARS + 1));
      int from = random.nextInt(4) > 0 ? 0 : random.nextInt(text.length + 1);
      int to = random.nextInt(4) > 0 ? text.length : random.nextInt(from, text.length + 1);
      check(text, from, to);
    }
  }

  /**
   * Tests unpaired surrogates, pairs, and characters of each length at each index of a text of
   * another script.
   */
  @Test
  void encodesACharacterOfAnotherScriptAtEachIndex() {
    for (String script : new String[] {"a", "\u0439", "\u4e00", "\uff0c", "\u0439\u4e00"}) {
      for (int length = 1; length <= MAX_CHARS; length++) {
        for (int place = 0; place < length; place++) {
          for (int other = 0; other < ENDS.length(); other++) {
            StringBuilder text = new StringBuilder(script.repeat(length));
            text.setLength(length);
            text.setCharAt(place, ENDS.charAt(other));
            check(text.toString().toCharArray(), 0, length);
            if (place + 1 < length) {
              text.replace(place, place + 2, "\ud83d\ude00");
              check(text.toString().toCharArray(), 0, length);
            }
          }
        }
      }
    }
  }

  private void check(char[] text, int from, int to) {
    byte[] contents = new byte[text.length * Character.BYTES];
    for (int i = 0; i < text.length; i++) {
      MemoryAccess.putShort(contents, BYTE_ARRAY_OFFSET + 2L * i, (short) text[i]);
    }
    byte[] expected = new String(text, from, to - from).getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[heap.length];
    Arrays.fill(all, UNTOUCHED);
    System.arraycopy(expected, 0, all, MARGIN_BYTES, expected.length);

    Arrays.fill(heap, UNTOUCHED);
    int bytes = Utf8.encodeUtf16(contents, from, to, heap, BYTE_ARRAY_OFFSET + MARGIN_BYTES);
    if (bytes != expected.length || !Arrays.equals(heap, all)) {
      assertThat(heap).as(as("heap", text, from, to, bytes)).isEqualTo(all);
      assertThat(bytes).as(as("heap", text, from, to, bytes)).isEqualTo(expected.length);
    }

    Arrays.fill(heap, UNTOUCHED);
    direct.clear().put(heap);
    long address = NioMemory.start(direct) + MARGIN_BYTES;
    bytes = Utf8.encodeUtf16(contents, from, to, null, address);
    direct.clear().get(heap);
    if (bytes != expected.length || !Arrays.equals(heap, all)) {
      assertThat(heap).as(as("direct", text, from, to, bytes)).isEqualTo(all);
      assertThat(bytes).as(as("direct", text, from, to, bytes)).isEqualTo(expected.length);
    }
    assertThat(Utf8.length(CharBuffer.wrap(text), from, to)).isEqualTo(expected.length);
  }

  private String as(String memory, char[] text, int from, int to, int bytes) {
    StringBuilder hex = new StringBuilder();
    for (char c : text) {
      hex.append(Integer.toHexString(c)).append(' ');
    }
    return memory + ", seed " + seed + ", " + from + " to " + to + " of " + hex + "gave " + bytes;
  }
}

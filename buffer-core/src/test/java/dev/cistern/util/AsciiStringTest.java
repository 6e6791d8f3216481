/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;

/**
 * Tests of the methods that {@link AsciiStringDifferentialTest} does not cover, or for which Netty
 * is no reference.
 */
@Tag("D4")
class AsciiStringTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void isAViewOfPartOfAnArray() {
    byte[] array = bytes("GET /index");
    AsciiString path = new AsciiString(array, 4, 6, false);
    assertThatObject(path).hasToString("/index");
    assertThat(path.array()).isSameAs(array);
    assertThat(path.arrayOffset()).isEqualTo(4);
    assertThat(path.isEntireArrayUsed()).isFalse();
    assertThat(path.subSequence(1, 4, false).arrayOffset()).isEqualTo(5);
    assertThat(path.subSequence(1, 4, true).isEntireArrayUsed()).isTrue();
    assertThat(path.toByteArray()).isEqualTo(bytes("/index"));
  }

  @Test
  void aCopyDoesNotSeeLaterWrites() {
    byte[] array = bytes("abc");
    AsciiString copy = new AsciiString(array);
    array[0] = 'x';
    assertThatObject(copy).hasToString("abc");
  }

  @Test
  void hashAndStringAreKeptUntilArrayChangedIsCalled() {
    byte[] array = bytes("abc");
    AsciiString view = new AsciiString(array, false);
    int hash = view.hashCode();
    String string = view.toString();
    array[0] = 'x';
    assertThat(view.hashCode()).isEqualTo(hash);
    assertThat(view.toString()).isSameAs(string);
    view.arrayChanged();
    assertThat(view.hashCode()).isEqualTo(new AsciiString("xbc").hashCode()).isNotEqualTo(hash);
    assertThatObject(view).hasToString("xbc");
  }

  @Test
  void buffersOfEveryKindAreReadFromTheGivenStart() {
    ByteBuffer heap = ByteBuffer.wrap(bytes("0123456789"), 2, 7).slice(); // "2345678"
    ByteBuffer direct = ByteBuffer.allocateDirect(7).put(bytes("2345678")).flip();
    for (ByteBuffer buffer : new ByteBuffer[] {heap, direct, heap.asReadOnlyBuffer()}) {
      buffer.position(1).limit(6);
      for (boolean copy : new boolean[] {true, false}) {
        assertThatObject(new AsciiString(buffer, copy)).hasToString("34567");
        assertThatObject(new AsciiString(buffer, 2, 5, copy)).hasToString("45678");
      }
      assertThat(buffer.position()).isEqualTo(1);
      assertThat(buffer.limit()).isEqualTo(6);
    }
    assertThat(new AsciiString(heap, false).array()).isSameAs(heap.array());
  }

  @Test
  void hashesOfEqualTextsAreEqualForAnyCaseKindAndOffset() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2000; round++) {
      byte[] array = new byte[random.nextInt(3, 60)];
      random.nextBytes(array);
      int start = random.nextInt(array.length);
      AsciiString text = new AsciiString(array, start, array.length - start, false);
      AsciiString other = random.nextBoolean() ? text.toLowerCase() : text.toUpperCase();
      String as = "seed " + seed + ", round " + round + ", " + text;
      assertThat(other.hashCode()).as(as).isEqualTo(text.hashCode());
      assertThat(AsciiString.hashCode(text.toString())).as(as).isEqualTo(text.hashCode());
      assertThat(text.contentEqualsIgnoreCase(other)).as(as).isTrue();
      assertThat(text.equals(new AsciiString(text.toString()))).as(as).isTrue();
      assertThat(text.equalsConstantTime(new AsciiString(text.toString()))).as(as).isTrue();
    }
  }

  @Test
  void everyPairOfBytesComparesAsItsCharactersDo() {
    byte[] a = bytes("..........");
    byte[] b = a.clone();
    for (int at : new int[] {0, 7, 8, 9}) { // in a word of eight bytes, and after it
      for (int x = 0; x < 256; x++) {
        for (int y = 0; y < 256; y++) {
          a[at] = (byte) x;
          b[at] = (byte) y;
          boolean same = AsciiString.toLowerCase((char) x) == AsciiString.toLowerCase((char) y);
          assertThat(new AsciiString(a, false).contentEqualsIgnoreCase(new AsciiString(b, false)))
              .as("%d against %d at %d", x, y, at)
              .isEqualTo(same);
        }
      }
      a[at] = '.';
      b[at] = '.';
    }
  }

  @Test
  void comparesSecretsInConstantTime() {
    AsciiString secret = new AsciiString(bytes("xsecretx"), 1, 6, false);
    assertThat(secret.equalsConstantTime(new AsciiString("secret"))).isTrue();
    assertThat(secret.equalsConstantTime(new AsciiString("secreT"))).isFalse();
    assertThat(secret.equalsConstantTime(new AsciiString("secre"))).isFalse();
  }

  @Test
  void trimTakesBlanksOnlyFromBothEndsOfAnyText() {
    assertThat(AsciiString.trim(CharBuffer.wrap(" ab "))).hasToString("ab");
    assertThatObject(new AsciiString("\t\u00e9a\u00e9 ").trim()).hasToString("\u00e9a\u00e9");
    AsciiString nothingToTrim = new AsciiString("a");
    assertThatObject(nothingToTrim.trim()).isSameAs(nothingToTrim);
  }

  @Test
  void rangesOutsideOfTheTextAreRefused() {
    AsciiString text = new AsciiString(bytes("0abc4"), 1, 3, false);
    refuses(() -> text.byteAt(-1));
    refuses(() -> text.byteAt(3));
    refuses(() -> text.charAt(3));
    refuses(() -> text.toByteArray(0, 4));
    refuses(() -> text.toByteArray(2, 1));
    refuses(() -> text.toCharArray(-1, 1));
    refuses(() -> text.toString(1, 4));
    refuses(() -> text.subSequence(1, Integer.MIN_VALUE));
    refuses(() -> text.parseChar(2));
    refuses(() -> text.parseInt(2, 1));
    refuses(() -> text.parseInt(1, 4));
    refuses(() -> text.forEachByte(1, 3, value -> true));
    refuses(() -> text.forEachByteDesc(-1, 3, value -> true));
    refuses(() -> new AsciiString(new byte[3], 1, 3, true));
    refuses(() -> new AsciiString(new byte[3], 1, 3, false));
    refuses(() -> new AsciiString(ByteBuffer.allocate(3), 1, 3, false));
    refuses(() -> new AsciiString("abc", StandardCharsets.UTF_8, 1, 3));
  }

  private static void refuses(ThrowingSupplier<?> call) {
    assertThatThrownBy(call::get).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void containsTheSameTextsAsAString() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 5000; round++) {
      String text =
          random
              .ints(random.nextInt(12), 'a', 'c')
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
      String wanted =
          random
              .ints(random.nextInt(4), 'a', 'c')
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
      String as = "seed " + seed + ", " + wanted + " in " + text;
      boolean expected = text.contains(wanted);
      assertThat(AsciiString.contains(text, wanted)).as(as).isEqualTo(expected);
      assertThat(new AsciiString(text).contains(wanted)).as(as).isEqualTo(expected);
      assertThat(AsciiString.containsIgnoreCase(text, new AsciiString(wanted).toUpperCase()))
          .as(as)
          .isEqualTo(expected);
    }
  }

  @Test
  void hashersCompareAnyTexts() {
    assertThat(AsciiString.CASE_INSENSITIVE_HASHER.equals("Host", new AsciiString("hOST")))
        .isTrue();
    assertThat(AsciiString.CASE_SENSITIVE_HASHER.equals("Host", new AsciiString("hOST"))).isFalse();
    assertThat(AsciiString.CASE_SENSITIVE_HASHER.equals(null, null)).isTrue();
    assertThat(AsciiString.CASE_INSENSITIVE_HASHER.hashCode("Host"))
        .isEqualTo(AsciiString.CASE_SENSITIVE_HASHER.hashCode(new AsciiString("hOST")));
  }

  @Test
  void aSearchFromBehindTheEndFindsNothing() {
    AsciiString text = new AsciiString(new byte[] {'a', 'b', 'c', 'd'}, 2, 2, false);
    assertThat(text.indexOf('c', Integer.MAX_VALUE)).isEqualTo(-1);
    assertThat(text.indexOf('d', 2)).isEqualTo(-1);
    assertThat(text.indexOf('d', 1)).isEqualTo(1);
    assertThat(text.indexOf("c", Integer.MAX_VALUE)).isEqualTo(-1);
  }
}

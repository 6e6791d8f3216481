/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.ByteProcessor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Tests of searches in both directions, of comparisons, and of hashes. */
@Tag("B9")
@Tag("D2")
class SearchTest {
  private static ByteBuf sample(BufferKind kind) {
    return kind.of((byte) 5, (byte) 1, (byte) 2, (byte) 1, (byte) 5, (byte) 9);
  }

  @EveryKind(readsOnly = true)
  void findsTheFirstAndTheLast(BufferKind kind) {
    ByteBuf buffer = sample(kind);
    assertThat(buffer.indexOf(0, 6, (byte) 1)).isEqualTo(1);
    assertThat(buffer.indexOf(2, 6, (byte) 1)).isEqualTo(3);
    assertThat(buffer.indexOf(6, 0, (byte) 1)).isEqualTo(3);
    assertThat(buffer.indexOf(3, 0, (byte) 1)).isEqualTo(1);
    assertThat(buffer.indexOf(0, 6, (byte) 7)).isEqualTo(-1);
    assertThat(buffer.indexOf(-3, 6, (byte) 5)).isZero();
    assertThat(buffer.readerIndex(2).bytesBefore((byte) 5)).isEqualTo(2);
    assertThat(buffer.bytesBefore(2, (byte) 5)).isEqualTo(-1);
    assertThat(buffer.bytesBefore(1, 4, (byte) 5)).isEqualTo(3);
    buffer.release();
  }

  @EveryKind
  void findsAByteAtEveryIndexAmongBytesThatAreNearlyIt(BufferKind kind) {
    int length = 150; // more than two rounds of words, plus single bytes
    for (int wanted : new int[] {0, 1, 0x7F, 0x80, 0xFF}) {
      for (int at = 0; at < length; at++) {
        ByteBuf buffer = kind.buffer(length).writerIndex(length);
        for (int i = 0; i < length; i++) {
          buffer.setByte(i, wanted ^ (i % 2 == 0 ? 1 : 0x80));
        }
        buffer.setByte(at, wanted);
        for (int from = 0; from < 9; from++) {
          assertThat(buffer.indexOf(from, length, (byte) wanted)).isEqualTo(at < from ? -1 : at);
          assertThat(buffer.indexOf(length, from, (byte) wanted)).isEqualTo(at < from ? -1 : at);
        }
        buffer.release();
      }
    }
  }

  @EveryKind(readsOnly = true)
  @Tag("needs-checks")
  void aProcessorSeesEachByteUntilItStops(BufferKind kind) {
    ByteBuf buffer = sample(kind).readerIndex(1);
    List<Byte> seen = new ArrayList<>();
    ByteProcessor untilFive =
        value -> {
          seen.add(value);
          return value != 5;
        };
    assertThat(buffer.forEachByte(untilFive)).isEqualTo(4);
    assertThat(seen).containsExactly((byte) 1, (byte) 2, (byte) 1, (byte) 5);
    seen.clear();
    assertThat(buffer.forEachByteDesc(0, 3, untilFive)).isZero();
    assertThat(seen).containsExactly((byte) 2, (byte) 1, (byte) 5);
    assertThat(buffer.forEachByte(1, 3, untilFive)).isEqualTo(-1);
    assertThatThrownBy(() -> buffer.forEachByte(1, 6, untilFive))
        .isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @EveryKind(readsOnly = true)
  void aProcessorsExceptionIsRethrown(BufferKind kind) {
    ByteBuf buffer = sample(kind);
    assertThatThrownBy(
            () ->
                buffer.forEachByte(
                    value -> {
                      throw new IOException("as it is");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("as it is");
    buffer.release();
  }

  @EveryKind(readsOnly = true)
  void isEqualToEveryOtherKindWithTheSameBytes(BufferKind kind) {
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2};
    ByteBuf buffer = kind.of(bytes);
    for (BufferKind otherKind : BufferKind.writable()) {
      ByteBuf other = otherKind.of(bytes);
      assertThat(other).isEqualTo(buffer).hasSameHashCodeAs(buffer);
      assertThat(other.compareTo(buffer)).isZero();
      other.setByte(10, 1);
      assertThat(other).isNotEqualTo(buffer);
      assertThat(other.compareTo(buffer)).as("unsigned").isNegative();
      other.setByte(10, -2).writerIndex(10);
      assertThat(other).isNotEqualTo(buffer);
      assertThat(other.compareTo(buffer)).isNegative();
      assertThat(buffer.compareTo(other)).isPositive();
      other.release();
    }
    buffer.release();
  }
}

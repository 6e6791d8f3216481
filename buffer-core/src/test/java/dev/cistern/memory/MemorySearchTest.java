/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that searches find the bytes between two indices, up to the largest index, and only these.
 */
class MemorySearchTest {
  private static final int LONGEST = 200;
  private static final byte WANTED = 7;

  /**
   * Bytes that represent the end of the largest possible array. The surrounding bytes all have the
   * wanted value, so that a search beyond its bounds finds one of them.
   */
  private final byte[] bytes = new byte[4 * LONGEST];

  @ParameterizedTest
  @ValueSource(ints = {2 * LONGEST, Integer.MAX_VALUE - 8, Integer.MAX_VALUE})
  @Tag("B9")
  void findsBytesUpToTheLargestIndex(int to) {
    int end = 3 * LONGEST; // the byte here has the index to
    long address = MemoryAccess.BYTE_ARRAY_OFFSET + end - (long) to;
    for (int length = 0; length <= LONGEST; length++) {
      int from = to - length;
      Arrays.fill(bytes, WANTED);
      Arrays.fill(bytes, end - length, end, (byte) 0);
      assertFound(address, from, to, -1, -1);
      for (int at = 0; at < length; at += 1 + length / 40) {
        int mirrored = length - 1 - at;
        bytes[end - length + at] = WANTED;
        bytes[end - length + mirrored] = WANTED;
        assertFound(
            address, from, to, from + Math.min(at, mirrored), from + Math.max(at, mirrored));
        bytes[end - length + at] = 0;
        bytes[end - length + mirrored] = 0;
      }
    }
  }

  private void assertFound(long address, int from, int to, int first, int last) {
    assertThat(MemorySearch.first(bytes, address, from, to, WANTED))
        .as("first from %s to %s", from, to)
        .isEqualTo(first);
    assertThat(MemorySearch.last(bytes, address, from, to, WANTED))
        .as("last from %s to %s", from, to)
        .isEqualTo(last);
  }
}

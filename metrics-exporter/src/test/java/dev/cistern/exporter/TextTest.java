/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void durationsHaveTheirTwoLargestUnits() {
    assertEquals("0 ms", Text.duration(-5));
    assertEquals("999 ms", Text.duration(999));
    assertEquals("6.1 s", Text.duration(6_100));
    assertEquals("4 min 3 s", Text.duration(243_000));
    assertEquals("2 h 5 min", Text.duration(7_500_000));
    assertEquals("3 d 4 h", Text.duration(273_600_000));
  }

  @Test
  void changesHaveTheirSign() {
    assertEquals("0 B", Text.change(0));
    assertEquals("+1.5 MiB", Text.change(1_572_864));
    assertEquals("-512 B", Text.change(-512));
    assertEquals("-8388608.0 TiB", Text.change(Long.MIN_VALUE));
  }

  @Test
  void oneIsSingular() {
    assertEquals("1 frame", Text.count(1, "frame"));
    assertEquals("1,000 frames", Text.count(1_000, "frame"));
  }
}

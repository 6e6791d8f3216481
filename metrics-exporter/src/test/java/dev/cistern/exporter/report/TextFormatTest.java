/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TextFormatTest {
  @Test
  void durationsHaveTheirTwoLargestUnits() {
    assertEquals("0 ms", TextFormat.duration(-5));
    assertEquals("999 ms", TextFormat.duration(999));
    assertEquals("6.1 s", TextFormat.duration(6_100));
    assertEquals("4 min 3 s", TextFormat.duration(243_000));
    assertEquals("2 h 5 min", TextFormat.duration(7_500_000));
    assertEquals("3 d 4 h", TextFormat.duration(273_600_000));
  }

  @Test
  void changesHaveTheirSign() {
    assertEquals("0 B", TextFormat.change(0));
    assertEquals("+1.5 MiB", TextFormat.change(1_572_864));
    assertEquals("-512 B", TextFormat.change(-512));
    assertEquals("-8388608.0 TiB", TextFormat.change(Long.MIN_VALUE));
  }

  @Test
  void oneIsSingular() {
    assertEquals("1 frame", TextFormat.count(1, "frame"));
    assertEquals("1,000 frames", TextFormat.count(1_000, "frame"));
  }
}

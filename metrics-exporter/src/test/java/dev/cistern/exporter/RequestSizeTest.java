/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestSizeTest {
  private static final int OF_JDK = 380 << 10;

  /**
   * What clients send fills an eighth of a heap that is not small; where they may send little, they
   * are many.
   */
  @ParameterizedTest
  @CsvSource({
    "16, 389120, 8",
    "64, 389120, 8",
    "256, 389120, 21",
    "512, 389120, 43",
    "1024, 389120, 48",
    "1048576, 389120, 48",
    "256, 200000, 41",
    "32, 32768, 48",
    "32, 65536, 48",
    "4096, 0, 8",
    "4096, 2000000000, 8",
  })
  void asManyAreReadFromAsTheHeapHasRoomFor(long mebibytes, int limit, int readers) {
    assertThat(RequestSize.readersAtATime(mebibytes << 20, limit)).isEqualTo(readers);
  }

  @ParameterizedTest
  @CsvSource({"256", "1024", "65536"})
  void withTheLimitOfTheJdkTheyFillLittle(long mebibytes) {
    long bytes = (long) RequestSize.readersAtATime(mebibytes << 20, OF_JDK) * OF_JDK * 4;
    assertThat(bytes).isLessThan((mebibytes << 20) / 7);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HttpDateTest {
  private static final DateTimeFormatter JDK =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private static String format(long epochSeconds) {
    return new String(HttpDate.format(epochSeconds), StandardCharsets.US_ASCII);
  }

  @Test
  void isThatOfTheStandard() {
    assertThat(format(784_111_777)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    assertThat(format(0)).hasSize(HttpDate.BYTES).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
  }

  @Test
  void isAsTheJdkWritesIt() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long seconds = random.nextLong(0, 253_402_300_800L); // the last of the year 9999
      assertThat(format(seconds)).isEqualTo(JDK.format(Instant.ofEpochSecond(seconds)));
    }
  }
}

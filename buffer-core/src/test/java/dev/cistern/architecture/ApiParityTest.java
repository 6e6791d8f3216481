/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Tests that code written for the buffers of Netty 4.1 compiles with Cistern after its imports are
 * changed: same types, members and signatures. The file {@code api-exceptions.txt} lists the
 * accepted gaps, one per line: {@code gap | reason}.
 *
 * <p>The test prints all gaps, including the accepted ones.
 */
class ApiParityTest {
  private static final String FILE = "api-exceptions.txt";

  private final Map<String, String> reasons = new LinkedHashMap<>();

  private void readExceptions() throws IOException {
    String text;
    try (var in = ApiParityTest.class.getResourceAsStream(FILE)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split("\\|", 2);
      String reason = parts.length < 2 ? "" : parts[1].strip();
      assertThat(reason).as("reason of %s in %s", line, FILE).hasSizeGreaterThan(9);
      assertThat(reasons.put(parts[0].strip(), reason)).as("%s comes once", line).isNull();
    }
  }

  @Test
  void hasTheApiOfNetty() throws IOException {
    readExceptions();
    Set<String> gaps = new TreeSet<>();
    for (String gap : ApiGaps.find()) {
      boolean isExcepted = reasons.containsKey(gap);
      System.out.println((isExcepted ? "excepted " : "GAP      ") + gap);
      if (!isExcepted) {
        gaps.add(gap);
      }
    }
    assertThat(gaps).as("gaps without a reason in %s", FILE).isEmpty();
  }

  @Test
  void exceptsNothingThatIsNoGap() throws IOException {
    readExceptions();
    Set<String> needless = new TreeSet<>(reasons.keySet());
    needless.removeAll(ApiGaps.find());
    assertThat(needless).as("exceptions in %s that are not needed", FILE).isEmpty();
  }

  @Test
  void comparesEveryOfferedType() throws IOException {
    assertThat(ApiScope.types().keySet())
        .contains(
            "io.netty.buffer.CompositeByteBuf",
            "io.netty.buffer.search.BitapSearchProcessorFactory$Processor",
            "io.netty.util.ResourceLeakDetector$Level",
            "io.netty.util.concurrent.FastThreadLocal")
        .doesNotContain("io.netty.buffer.ByteBufProcessor", "io.netty.buffer.PoolArena")
        .hasSizeGreaterThan(50);
  }
}

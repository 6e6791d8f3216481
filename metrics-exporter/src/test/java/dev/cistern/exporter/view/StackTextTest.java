/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.CallStack;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackTextTest {
  private static String text(ReportOptions options, CallStack stack) {
    StringBuilder text = new StringBuilder();
    new StackText(text, options).append("  ", stack);
    return text.toString();
  }

  private static List<String> frames(int count) {
    return IntStream.range(0, count).mapToObj(i -> "a.B.m" + i + "(B.java:" + i + ")").toList();
  }

  @Test
  void theFramesBeforeTheSiteAreOneLine() {
    assertThat(text(ReportOptions.FOLDED, new CallStack("a.B.m2:2", frames(4), 2, 0)))
        .isEqualTo(
            """
              ... 2 frames of Netty, the JDK and Cistern (?full=true shows them)
              at a.B.m2(B.java:2)
              at a.B.m3(B.java:3)
            """);
  }

  @Test
  void fullShowsAllFramesAndTheNumberOfCutOnes() {
    assertThat(text(ReportOptions.FULL, new CallStack("a.B.m2:2", frames(3), 2, 1)))
        .isEqualTo(
            """
              at a.B.m0(B.java:0)
              at a.B.m1(B.java:1)
              at a.B.m2(B.java:2)
              ... 1 outer frame was not kept
            """);
  }

  @Test
  void aDeepStackIsCutAndSaysSo() {
    assertThat(text(ReportOptions.FOLDED, new CallStack("a.B.m1:1", frames(128), 1, 900)).lines())
        .hasSize(1 + 16 + 2)
        .endsWith("  ... 111 more (?full=true)", "  ... 900 outer frames were not kept");
    assertThat(text(ReportOptions.FULL, new CallStack("a.B.m1:1", frames(128), 1, 900)).lines())
        .hasSize(128 + 1);
  }

  @Test
  void aStackThatWasNotKeptIsReportedAsMissing() {
    assertThat(text(ReportOptions.FOLDED, CallStack.NONE)).isEqualTo("  (no stack was kept)\n");
  }

  @Test
  void aNumberOfFoldedFramesThatCannotBeHidesNoSite() {
    assertThat(text(ReportOptions.FOLDED, new CallStack("a.B.m0:0", frames(2), 99, 0)))
        .contains("at a.B.m1");
    assertThat(text(ReportOptions.FOLDED, new CallStack("a.B.m0:0", frames(2), -5, 0)))
        .contains("at a.B.m0");
  }

  @Test
  void namesOfTheApplicationDoNotReachTheTerminalAsTheyAre() {
    CallStack hostile = new CallStack("x", List.of("a\u001b[2J\u202e\u2028b(c:1)"), 0, 0);
    assertThat(text(ReportOptions.FULL, hostile)).isEqualTo("  at a?[2J??b(c:1)\n");
  }
}

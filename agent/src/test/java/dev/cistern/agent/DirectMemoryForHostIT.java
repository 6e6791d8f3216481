/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The host gets the direct memory that Netty has released, as it does without the agent. */
@Tag("alone") // it compares times
class DirectMemoryForHostIT {
  private static final double LEAST_SHARE = 0.95;
  private static final long MAX_EXTRA_MICROS = 20_000;
  private static final String WITHOUT_EXPLICIT_COLLECTIONS = "-XX:+DisableExplicitGC";
  private static final String PLAIN = "-Da=b";
  private static final Pattern LINE =
      Pattern.compile("(threads .*): got (\\d+) KiB, slowest call (\\d+) us, collections (\\d+)");

  private record Line(String what, long kib, long micros, long collections) {}

  static Stream<Arguments> hosts() {
    return HostJvm.homes()
        .flatMap(
            home ->
                Stream.of("4.1", "4.2")
                    .flatMap(
                        netty ->
                            Stream.of(32, 64, 256)
                                .map(limit -> Arguments.of(home, netty, limit, PLAIN))));
  }

  @Tag("smoke")
  @Test
  void theHostGetsWhatNettyHasReleased() throws Exception {
    theHostGetsWhatItGetsWithoutTheAgent(
        HostJvm.homes().findFirst().orElseThrow(), "4.1", 64, WITHOUT_EXPLICIT_COLLECTIONS);
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void theHostGetsWhatItGetsWithoutTheAgent(String home, String netty, int limitMib, String option)
      throws Exception {
    List<Line> bare = run(home, netty, limitMib, option, false);
    List<Line> served = run(home, netty, limitMib, option, true);
    String both = "bare " + bare + "\nserved " + served;
    assertThat(bare).as(both).hasSize(8);
    assertThat(served).as(both).hasSameSizeAs(bare);
    for (int i = 0; i < bare.size(); i++) {
      Line without = bare.get(i);
      Line with = served.get(i);
      assertThat(with.what).isEqualTo(without.what);
      assertThat(with.kib).as(both).isGreaterThanOrEqualTo((long) (LEAST_SHARE * without.kib));
      assertThat(with.micros).as(both).isLessThanOrEqualTo(without.micros + MAX_EXTRA_MICROS);
      assertThat(with.collections).as(both).isLessThanOrEqualTo(without.collections);
    }
  }

  private static List<Line> run(
      String home, String netty, int limitMib, String option, boolean isServed) throws Exception {
    HostJvm host =
        HostJvm.netty(netty)
            .jdk(home)
            .main("example.host.DirectMemoryUser")
            .option("-XX:MaxDirectMemorySize=" + limitMib + "m", option)
            .argument(String.valueOf(limitMib), isServed ? "served" : "bare");
    HostJvm.Result result = isServed ? host.agent("listen=127.0.0.1:0").run() : host.run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.behaviour()).as("%s", result).contains("done");
    List<Line> lines = new ArrayList<>();
    for (String text : result.behaviour()) {
      Matcher matcher = LINE.matcher(text);
      if (matcher.matches()) {
        lines.add(
            new Line(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4))));
      }
    }
    return lines;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host gets the direct memory that Netty has released, as it does without the agent. */
@Tag("alone") // it compares times
class DirectMemoryForHostIT {
  private static final int SIZES = 4;
  private static final double MIN_SHARE = 0.95;
  private static final long MAX_EXTRA_MICROS = 20_000;
  private static final Pattern LINE =
      Pattern.compile("(threads .*): got (\\d+) KiB, slowest call (\\d+) us, collections (\\d+)");

  private record Line(String subject, long kib, long micros, long collections) {}

  /** Returns all limits on this JDK, and one limit on another JDK. */
  static Stream<Arguments> hosts() {
    String own = System.getProperty("java.home");
    return HostJvm.homes()
        .flatMap(
            home ->
                Stream.of("4.1", "4.2")
                    .flatMap(
                        netty ->
                            Stream.of(64, 32, 256)
                                .limit(home.equals(own) ? 3 : 1)
                                .map(limit -> Arguments.of(home, netty, limit))));
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void theJvmFreesAsMuchForTheHostAsWithoutTheAgent(String home, String netty, int limitMib)
      throws Exception {
    compare(home, netty, limitMib, List.of("jvm", "0", "4"));
  }

  @Tag("smoke")
  @Test
  void theSameWithoutExplicitCollections() throws Exception {
    String home = HostJvm.homes().findFirst().orElseThrow();
    compare(home, "4.1", 64, List.of("jvm", "4"), "-XX:+DisableExplicitGC");
  }

  /** With these options, Netty itself allocates memory and counts it against its own limit. */
  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void nettyFreesAsMuchForTheHostAsWithoutTheAgent(String netty) throws Exception {
    String home = System.getProperty("java.home");
    compare(
        home,
        netty,
        64,
        List.of("netty", "0", "4"),
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-Dio.netty.tryReflectionSetAccessible=true");
  }

  /**
   * Compares again if the result with the agent is worse, because another thread may have held a
   * lock.
   */
  private static void compare(
      String home, String netty, int limitMib, List<String> arguments, String... options)
      throws Exception {
    String worse = compareOnce(home, netty, limitMib, arguments, options);
    if (!worse.isEmpty()) {
      System.out.println("compared again: " + worse);
      assertThat(compareOnce(home, netty, limitMib, arguments, options)).isEmpty();
    }
  }

  /**
   * Returns all figures if the agent causes a collection that the bare host does not have, or calls
   * that take too long.
   */
  private static String compareOnce(
      String home, String netty, int limitMib, List<String> arguments, String... options)
      throws Exception {
    List<Line> bare = run(home, netty, limitMib, arguments, options, false);
    List<Line> served = run(home, netty, limitMib, arguments, options, true);
    String both = "bare " + bare + "\nserved " + served;
    assertThat(bare).as(both).hasSize(SIZES * (arguments.size() - 1));
    assertThat(served).as(both).hasSameSizeAs(bare);
    List<Long> extraMicros = new ArrayList<>();
    long leastPercent = Long.MAX_VALUE;
    boolean hasMoreCollections = false;
    for (int i = 0; i < bare.size(); i++) {
      Line without = bare.get(i);
      Line with = served.get(i);
      assertThat(with.subject).isEqualTo(without.subject);
      assertThat(with.kib).as(both).isGreaterThanOrEqualTo((long) (MIN_SHARE * without.kib));
      leastPercent = Math.min(leastPercent, 100 * with.kib / without.kib);
      extraMicros.add(with.micros - without.micros);
      hasMoreCollections |= with.collections > without.collections;
    }
    Collections.sort(extraMicros); // the median: the machine may pause in some calls
    System.out.printf(
        "Netty %s, %d MiB, %s: the host gets %d %% or more; slowest calls longer by, us: %s%n",
        netty, limitMib, arguments, leastPercent, extraMicros);
    boolean isSlow = extraMicros.get(extraMicros.size() / 2) > MAX_EXTRA_MICROS;
    return hasMoreCollections || isSlow ? both : "";
  }

  private static List<Line> run(
      String home,
      String netty,
      int limitMib,
      List<String> arguments,
      String[] options,
      boolean isServed)
      throws Exception {
    HostJvm host =
        HostJvm.netty(netty)
            .jdk(home)
            .main("example.host.DirectMemoryUser")
            .option("-XX:MaxDirectMemorySize=" + limitMib + "m")
            .option(options)
            .argument(String.valueOf(limitMib), isServed ? "served" : "bare")
            .argument(arguments.toArray(new String[0]));
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

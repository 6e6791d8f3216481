/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** New buffers contain no bytes of memory that other code has freed. */
class ForeignBytesIT {
  private static final long MANY_WORDS = 1_000_000;
  private static final String LIMIT = "-XX:MaxDirectMemorySize=1g";

  /** With these options, Netty 4.1 allocates memory that it does not fill with zeros. */
  private static final String[] OPENED = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"
  };

  static Stream<Arguments> hosts() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of("4.1", "4.2").map(line -> Arguments.of(home, line)));
  }

  static Stream<Arguments> homesAndOptions() {
    return HostJvm.homes()
        .flatMap(
            home ->
                Stream.of("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-Dwithout=flag")
                    .map(option -> Arguments.of(home, option)));
  }

  private static HostJvm host(String home, String line) {
    return HostJvm.netty(line).jdk(home).main("example.host.ForeignBytes").option(LIMIT);
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void buffersOfNettyContainNone(String home, String line) throws Exception {
    Result served = host(home, line).option(OPENED).agent("listen=none").argument("served").run();
    assertNone(served, "pooled direct ", "pooled heap ", "adaptive direct ");
    assertThat(served.out()).contains("class dev.cistern.netty.pool.CisternByteBuf");
  }

  @ParameterizedTest
  @MethodSource("homesAndOptions")
  void buffersOfTheLibraryContainNone(String home, String option) throws Exception {
    Result result =
        host(home, "4.1").first(HostJvm.library()).option(option).argument("library").run();
    assertNone(
        result,
        "pooled direct ",
        "pooled heap ",
        "unpooled direct ",
        "unpooled heap ",
        "unpooled direct again ");
  }

  /** Verifies that the host can find foreign bytes. */
  @Test
  void buffersOfBareNettyContainMany() throws Exception {
    Result bare =
        host(System.getProperty("java.home"), "4.1").option(OPENED).argument("bare").run();
    assertThat(bare.exit()).as("%s", bare).isZero();
    assertThat(words(bare, "pooled direct ")).as("%s", bare).isGreaterThan(MANY_WORDS);
  }

  private static void assertNone(Result result, String... kinds) {
    assertThat(result.exit()).as("%s", result).isZero();
    for (String malloc : List.of("malloc ", "malloc afterwards ")) {
      assertThat(words(result, malloc)).as("%s%s", malloc, result).isGreaterThan(MANY_WORDS);
    }
    for (String kind : kinds) {
      assertThat(words(result, kind)).as("%s%s", kind, result).isZero();
    }
  }

  private static long words(Result result, String start) {
    return result.out().stream()
        .filter(line -> line.matches(start + "\\d+( of .*)?"))
        .mapToLong(line -> Long.parseLong(line.substring(start.length()).replaceAll(" .*", "")))
        .findFirst()
        .orElseThrow();
  }
}

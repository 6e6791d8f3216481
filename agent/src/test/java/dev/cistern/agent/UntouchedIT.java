/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Chunks of the pool count in the same accounts as Netty's, and only their used pages are resident.
 */
@Tag("A15")
class UntouchedIT {
  private static final int HELD_MIB = 64;

  static Stream<Arguments> hosts() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of("4.1", "4.2").map(line -> Arguments.of(home, line)));
  }

  private static HostJvm host(String home, String line) {
    return HostJvm.netty(line)
        .jdk(home)
        .main("example.host.Untouched")
        .option("-XX:MaxDirectMemorySize=256m");
  }

  private static int residentMib(Result result) {
    return result.classes().stream()
        .filter(line -> line.startsWith("resident MiB "))
        .mapToInt(line -> Integer.parseInt(line.substring("resident MiB ".length())))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void memoryIsCountedAndLimitedAsNettysIsButNotZeroed(String home, String line) throws Exception {
    Result bare = host(home, line).run();
    Result served = host(home, line).agent("listen=none,decayMillis=500").argument("served").run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour())
        .as("%s bare %s", served, bare)
        .isEqualTo(bare.behaviour())
        .contains("within the limit true", "taken again " + HELD_MIB, "done");
    assertThat(served.classes()).as("%s", served).contains("returned true");
    assertThat(residentMib(bare)).as("%s", bare).isGreaterThan(HELD_MIB - 8);
    assertThat(residentMib(served)).as("%s", served).isLessThan(HELD_MIB / 4);
  }

  @ParameterizedTest
  @CsvSource({
    "4.1, -Dsun.nio.PageAlignDirectMemory=true, true",
    "4.2, -Dsun.nio.PageAlignDirectMemory=true, true",
    "4.1, -Dio.netty.tryReflectionSetAccessible=true, true",
    "4.2, -Dio.netty.tryReflectionSetAccessible=true, true",
    "4.1, -Dio.netty.noUnsafe=true, false",
  })
  void otherAccountsOfNettyHoldToo(String line, String option, boolean isMapped) throws Exception {
    String home = System.getProperty("java.home");
    String opened = "--add-opens=java.base/java.nio=ALL-UNNAMED";
    Result bare = host(home, line).option(option).option(opened).run();
    Result served =
        host(home, line)
            .option(option)
            .option(opened)
            .agent("listen=none,decayMillis=500")
            .argument("served")
            .run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour()).as("%s bare %s", served, bare).isEqualTo(bare.behaviour());
    if (isMapped) {
      assertThat(served.classes()).as("%s", served).contains("returned true");
      assertThat(residentMib(served)).as("%s", served).isLessThan(HELD_MIB / 4);
    } else { // Netty's accounts are not known, and Netty allocates
      assertThat(residentMib(served)).as("%s", served).isGreaterThan(HELD_MIB - 8);
    }
  }
}

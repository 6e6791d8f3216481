/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import example.host.Container;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications are deployed and undeployed in a container, and the agent keeps no undeployed one
 * alive.
 */
class RedeployIT {
  private static final Path TESTS = Path.of("target", "test-classes").toAbsolutePath();
  private static final int ROUNDS = 50;
  private static final int ROUNDS_BY_DEFAULT = 12;

  /**
   * Limit of the remaining instances of a class that each bridge has once: the last copies may be
   * collected late.
   */
  private static final int MAX_LEFT = 2;

  /**
   * Limit of the lines of the inventory. The copies of the last second are listed until the next
   * tick of the agent.
   */
  private static final int MAX_LINES = 8;

  /** Limit of the remaining direct memory that the JVM counts: less than one chunk. */
  private static final int MAX_DIRECT_BYTES = 1 << 20;

  /**
   * Smallest direct memory that the JVM counts while an application is deployed: several chunks.
   */
  private static final int MIN_DIRECT_BYTES = 16 << 20;

  /** With these options, Netty 4.1 counts its own memory. Otherwise the JVM counts it. */
  private static final String[] OPENED = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"
  };

  static Stream<Arguments> homesAndLines() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of("4.1", "4.2").map(line -> Arguments.of(home, line)));
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  void fiftyRedeploysLeaveNothing(String home, String line) throws Exception {
    Result result =
        container(home, "swap", ROUNDS, classPath(line)).option(OPENED).agent("listen=none").run();
    assertNothingIsLeft(result, 0, ROUNDS * Container.MAX_NATIVE_MIB_PER_ROUND);
    assertNoDirectMemoryIsLeft(result);
    assertNoMappingIsLeft(result);
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  void redeploysByDefaultLeaveNothing(String home, String line) throws Exception {
    Result result =
        container(home, "swap", ROUNDS_BY_DEFAULT, classPath(line)).agent("listen=none").run();
    assertNothingIsLeft(result, 0, ROUNDS_BY_DEFAULT * Container.MAX_NATIVE_MIB_PER_ROUND);
    assertNoDirectMemoryIsLeft(result);
    assertNoMappingIsLeft(result);
    if (isCountedByTheJvm(home, line)) {
      assertThat(number(result, "most direct ")).as("%s", result).isGreaterThan(MIN_DIRECT_BYTES);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void aNeighbourWithAnotherNettyServesOn(String home) throws Exception {
    Result result =
        container(home, "swap", 10, classPath("4.1"), classPath("4.2"))
            .option(OPENED)
            .agent("listen=none")
            .run();
    assertNothingIsLeft(result, 1, Container.MAX_OTHER_NATIVE_MIB);
    assertThat(result.out())
        .filteredOn("neighbour dev.cistern.netty.pool.CisternByteBuf"::equals)
        .hasSize(2);
  }

  private static void assertNothingIsLeft(Result result, int staying, int mostNativeMib) {
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).as("%s", result).contains("loaders 0");
    assertThat(result.err()).as("needed too late").noneMatch(line -> line.contains("NoClassDef"));
    assertThat(number(result, "threads ")).as("%s", result).isLessThanOrEqualTo(1);
    assertThat(number(result, "native ")).as("%s", result).isLessThan(mostNativeMib << 10);
    for (String single :
        List.of("agent.netty.BridgeLoader", "bridge.Bridge", "bridge.BridgeHook")) {
      assertThat(instances(result, "dev.cistern." + single))
          .as("%s in %s", single, result)
          .isBetween(staying, staying + MAX_LEFT);
    }
    assertThat(instances(result, "dev.cistern.agent.netty.NettyCopy"))
        .as("lines of the inventory in %s", result)
        .isBetween(staying, staying + MAX_LINES);
  }

  /**
   * Returns whether the JVM counts the memory. On JDK 25, Netty 4.2 uses arenas of {@code
   * java.lang.foreign}, which the JVM does not count.
   */
  private static boolean isCountedByTheJvm(String home, String line) {
    return line.equals("4.1") || !HostJvm.isJdk25(home);
  }

  private static void assertNoDirectMemoryIsLeft(Result result) {
    assertThat(number(result, "direct ")).as("%s", result).isLessThanOrEqualTo(MAX_DIRECT_BYTES);
  }

  private static void assertNoMappingIsLeft(Result result) {
    assertThat(number(result, "most mappings ")).as("%s", result).isPositive();
    assertThat(number(result, "mappings ")).as("%s", result).isZero();
  }

  private static int number(Result result, String prefix) {
    return result.out().stream()
        .filter(line -> line.startsWith(prefix))
        .mapToInt(line -> Integer.parseInt(line.substring(prefix.length())))
        .findFirst()
        .orElseThrow();
  }

  private static int instances(Result result, String className) {
    return result.out().stream()
        .filter(line -> line.startsWith("histogram ") && line.endsWith(' ' + className))
        .mapToInt(line -> Integer.parseInt(line.split(" ", -1)[1]))
        .sum();
  }

  private static HostJvm container(String home, String mode, int rounds, String... classPaths) {
    List<String> arguments = new ArrayList<>(List.of(mode, String.valueOf(rounds)));
    arguments.addAll(Arrays.asList(classPaths));
    return HostJvm.onClassPath("example.host.Container", TESTS)
        .jdk(home)
        .option("-XX:NativeMemoryTracking=summary")
        .argument(arguments.toArray(new String[0]));
  }

  private static String classPath(String line) {
    return TESTS
        + File.pathSeparator
        + Arrays.stream(NettyJars.withTransport(line))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Finalizers of an application that is undeployed may use its last buffers. */
class FinalizerIT {
  private static final Path TESTS = Path.of("target", "test-classes").toAbsolutePath();

  /** With these options, Netty 4.1 allocates memory that no cleaner frees. */
  private static final String[] NO_CLEANER = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"
  };

  /** With these options, Netty 4.2 on JDK 25 allocates memory by malloc. */
  private static final String[] MALLOC = {"--enable-native-access=ALL-UNNAMED"};

  static Stream<Arguments> waysToDraw() {
    return HostJvm.homes()
        .flatMap(
            home ->
                Stream.of("4.1", "4.2")
                    .flatMap(
                        line ->
                            Stream.of(new String[0], line.equals("4.1") ? NO_CLEANER : MALLOC)
                                .filter(options -> isKnown(home, options))
                                .map(options -> Arguments.of(home, line, options))));
  }

  private static boolean isKnown(String home, String[] options) {
    return !Arrays.equals(options, MALLOC) || HostJvm.isJdk25(home);
  }

  @ParameterizedTest
  @MethodSource("waysToDraw")
  void memoryIsFreedOnceAfterTheLastFinalizer(String home, String line, String[] options)
      throws Exception {
    Result result =
        HostJvm.onClassPath("example.host.Undeployed", TESTS)
            .jdk(home)
            .option(options)
            .option("-Dio.netty.leakDetection.level=disabled") // wrappers need the closed loader
            .argument(classPath(line))
            .agent("listen=none")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out())
        .as("%s", result)
        .contains(
            "left dev.cistern.netty.pool.CisternByteBuf",
            "finalizer 1 has read its buffer",
            "finalizer 2 has read its buffer",
            "finalizer 3 has read its buffer",
            "released true",
            "released once",
            "loader gone true");
    int direct =
        result.out().stream()
            .filter(text -> text.startsWith("direct "))
            .mapToInt(text -> Integer.parseInt(text.substring("direct ".length())))
            .findFirst()
            .orElseThrow();
    assertThat(direct).as("%s", result).isLessThan(1 << 20);
    assertThat(result.err()).as("%s", result).noneMatch(text -> text.contains("met a failure"));
  }

  private static String classPath(String line) {
    return TESTS
        + File.pathSeparator
        + Arrays.stream(NettyJars.of(line))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
  }
}

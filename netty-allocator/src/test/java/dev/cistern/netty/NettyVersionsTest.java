/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import example.netty.EchoServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server on the allocator with each supported line of Netty and each JDK, in separate JVMs. */
class NettyVersionsTest {
  private static final String[] VERSIONS = {"oldest", "4.1", "4.2"};
  private static final Path CLASSES = Path.of("target", "classes").toAbsolutePath();
  private static final Path NETTY = Path.of("target", "netty").toAbsolutePath();

  static Stream<Arguments> versionsAndHomes() {
    List<String> homes = new ArrayList<>(List.of(System.getProperty("java.home")));
    for (String other : new String[] {"jdk21.home", "jdk25.home"}) {
      String home = System.getProperty(other, "");
      if (!home.isEmpty() && !homes.contains(home) && Files.isDirectory(Path.of(home))) {
        homes.add(home);
      }
    }
    return Arrays.stream(VERSIONS)
        .flatMap(version -> homes.stream().map(home -> Arguments.of(version, home)));
  }

  @ParameterizedTest
  @MethodSource("versionsAndHomes")
  void allBuffersOfAServerComeFromThePool(String version, String home) throws Exception {
    assertServed(run(home, "-cp", classPath(version), EchoServer.class.getName()), "null");
  }

  @ParameterizedTest
  @MethodSource("versionsAndHomes")
  void theModulePathWorksToo(String version, String home) throws Exception {
    String modulePath =
        String.join(File.pathSeparator, CLASSES.toString(), library(), nettyJars(version));
    assertServed(
        run(
            home,
            "-p",
            modulePath,
            "--add-modules",
            "dev.cistern.netty,io.netty.transport",
            "--add-exports", // the test reads the counters, as the exporter does
            "dev.cistern.buffer/dev.cistern.stats=ALL-UNNAMED",
            "-cp",
            tests(),
            EchoServer.class.getName()),
        "dev.cistern.netty");
  }

  /**
   * Runs without the option against the JVM's warning about Unsafe, and with access to Netty's
   * accounts.
   */
  @ParameterizedTest
  @MethodSource("versionsAndHomes")
  void otherOptionsOfTheJvmWorkToo(String version, String home) throws Exception {
    String classPath = classPath(version);
    assertThat(start(home, "-cp", classPath, EchoServer.class.getName()))
        .contains("done")
        .filteredOn(line -> line.contains("WARNING") && line.contains("cistern"))
        .allMatch(line -> line.contains("sun.misc.Unsafe") || line.contains("MemoryAccess"));
    assertServed(
        run(
            home,
            "--add-opens",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens",
            "java.base/java.nio=ALL-UNNAMED",
            "-cp",
            classPath,
            EchoServer.class.getName()),
        "null");
  }

  @Test
  void theDetectorObeysItsSettings() throws Exception {
    List<String> printed =
        run(
            System.getProperty("java.home"),
            "-Dcistern.leakDetection.level=paranoid",
            "-Dcistern.leakDetection.targetRecords=0",
            "-Dcistern.leakDetection.quarantineBytes=0",
            "-cp",
            classPath("4.2"),
            EchoServer.class.getName(),
            "leak");
    assertThat(String.join("\n", printed))
        .contains("example.netty.Leaker.leak", "quarantined 0")
        .doesNotContain("the handler that lost it");
  }

  @Test
  void theDetectorKeepsHintsAtTheAdvancedLevel() throws Exception {
    List<String> printed =
        run(
            System.getProperty("java.home"),
            "-Dcistern.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.level=disabled", // otherwise it keeps the hint of one in 128
            "-cp",
            classPath("4.2"),
            EchoServer.class.getName(),
            "leak");
    assertThat(String.join("\n", printed))
        .contains("example.netty.Leaker.leak", "the handler that lost it")
        .contains("done")
        .doesNotContain("quarantined 0");
  }

  private static void assertServed(List<String> printed, String module) {
    assertThat(printed).contains("done", "module " + module);
    assertThat(printed)
        .filteredOn(line -> line.startsWith("pool direct served "))
        .singleElement()
        .satisfies(
            line ->
                assertThat(Long.parseLong(line.substring("pool direct served ".length())))
                    .as("a buffer for each read and each write of %s", printed)
                    .isGreaterThan(240));
    assertThat(printed).noneMatch(line -> line.contains("WARNING") && line.contains("cistern"));
  }

  private static String tests() {
    return Path.of("target", "test-classes").toAbsolutePath().toString();
  }

  /** Returns the path of the library: its jar, or its classes in a build without jars. */
  private static String library() {
    return Path.of(
            dev.cistern.buffer.ByteBuf.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath())
        .toString();
  }

  private static String classPath(String version) throws IOException {
    return String.join(
        File.pathSeparator, CLASSES.toString(), library(), nettyJars(version), tests());
  }

  private static String nettyJars(String version) throws IOException {
    try (Stream<Path> jars = Files.list(NETTY.resolve(version))) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  /** Runs a JVM that does not warn of Unsafe. */
  private static List<String> run(String home, String... arguments) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "-XX:+IgnoreUnrecognizedVMOptions", // JDK 17 does not have the next option
                "--sun-misc-unsafe-memory-access=allow"));
    all.addAll(Arrays.asList(arguments));
    return start(home, all.toArray(String[]::new));
  }

  private static List<String> start(String home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(home, "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(Arrays.asList(arguments));
    Tool.Outcome outcome = Tool.run(new ProcessBuilder(command), 120);
    assertThat(outcome.status()).as("it said %s", outcome.printed()).isZero();
    return outcome.printed().lines().toList();
  }
}

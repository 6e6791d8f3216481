/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hosts that leak: the reports of Netty's own detector with and without the agent, and those of
 * Cistern.
 */
class LeakIT {
  private static final Set<String> LEAKS =
      Set.of(
          "leakDirect",
          "leakHeap",
          "leakSlice",
          "leakComposite",
          "leakGrown",
          "leakInDeadThread",
          "leakAfterSwitch");
  private static final Pattern METHOD = Pattern.compile("example\\.host\\.Leaker\\.(\\w+)");
  private static final String NETTY = "-Dio.netty.leakDetection.level=";

  @TempDir Path folder;

  private static HostJvm leaker(String line) {
    Path classes = Path.of("target", "test-classes").toAbsolutePath();
    Path[] netty = dev.cistern.agent.weave.NettyJars.of(line);
    Path[] classPath = Stream.concat(Stream.of(classes), Stream.of(netty)).toArray(Path[]::new);
    return HostJvm.onClassPath("example.host.Leaker", classPath);
  }

  /** Returns the methods in Netty's reports that created the leaked buffers. */
  private static Set<String> methodsReportedByNetty(Result result) {
    Set<String> methods = new TreeSet<>();
    boolean isCreation = false;
    for (String text : result.err()) {
      if (text.startsWith("Created at:")) {
        isCreation = true;
      }
      Matcher method = METHOD.matcher(text);
      if (isCreation && method.find()) {
        methods.add(method.group(1));
        isCreation = false;
      }
    }
    return methods;
  }

  /** Returns the first method of the application in each of Cistern's reports. */
  private static Set<String> methodsReportedByCistern(Result result) {
    Set<String> methods = new TreeSet<>();
    for (String text : result.out()) {
      Matcher method = METHOD.matcher(text);
      if (text.startsWith("ours ") && method.find() && !method.group(1).matches("main|lambda.*")) {
        methods.add(method.group(1));
      }
    }
    methods.removeAll(Set.of("leakAll", "useCorrectly"));
    return methods;
  }

  private static void assertDone(Result result) {
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).endsWith("done");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  @Tag("E1")
  @Tag("E2")
  void atParanoidNettyAndCisternReportWhatNettyReportsAlone(String line) throws Exception {
    Result bare = leaker(line).option(NETTY + "paranoid").argument("1000", "5", "poke").run();
    Result served =
        leaker(line)
            .option(NETTY + "paranoid")
            .agent("listen=none,dumpDirectory=" + folder)
            .argument("1000", "5", "swap", "stale", "poke", "jmx", "dump")
            .run();
    assertDone(bare);
    assertDone(served);
    assertThat(methodsReportedByNetty(bare)).isEqualTo(LEAKS);
    assertThat(methodsReportedByNetty(served)).as("%s", served.err()).isEqualTo(LEAKS);
    assertThat(methodsReportedByCistern(served)).as("%s", served.out()).isEqualTo(LEAKS);
    assertThat(served.out()).contains("stale uses allowed 0");
    assertThat(dump()).content().contains("leakDirect");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  @Tag("E1")
  @Tag("E7")
  void atCisternsParanoidLevelNettysDetectorMayBeOff(String line) throws Exception {
    Result served =
        leaker(line)
            .option(NETTY + "disabled")
            .agent("listen=none,leakLevel=paranoid")
            .argument("1000", "5", "swap", "stale", "jmx")
            .run();
    assertDone(served);
    assertThat(methodsReportedByNetty(served)).as("%s", served.err()).isEmpty();
    assertThat(methodsReportedByCistern(served)).as("%s", served.out()).isEqualTo(LEAKS);
    assertThat(served.out()).contains("stale uses allowed 0");
  }

  /**
   * Netty's detector watches every buffer at its default level here, so that the result does not
   * depend on chance.
   */
  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  @Tag("E1")
  void cisternsParanoidLevelDoesNotChangeTheReportsOfNetty(String line) throws Exception {
    String everyBuffer = "-Dio.netty.leakDetection.samplingInterval=1";
    Result bare = leaker(line).option(everyBuffer).argument("1000", "5", "poke").run();
    Result served =
        leaker(line)
            .option(everyBuffer)
            .agent("listen=none,leakLevel=paranoid")
            .argument("1000", "5", "swap", "poke", "jmx")
            .run();
    assertDone(bare);
    assertDone(served);
    assertThat(methodsReportedByNetty(served))
        .as("%s", served.err())
        .isEqualTo(methodsReportedByNetty(bare));
    assertThat(reportsOfNetty(served)).as("%s", served.err()).isEqualTo(reportsOfNetty(bare));
  }

  private static long reportsOfNetty(Result result) {
    return result.err().stream()
        .filter(text -> text.contains("LEAK: ") && text.contains(".release() was not called"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  @Tag("E1")
  @Tag("smoke")
  void aProcessThatAllocatesNoMoreReportsItsSamples(String line) throws Exception {
    Result served =
        leaker(line)
            .option(NETTY + "disabled")
            .agent("listen=none,sampleIntervalBytes=64k") // a sample of nearly every buffer
            .argument("65536", "100", "swap", "jmx")
            .run();
    assertDone(served);
    assertThat(methodsReportedByCistern(served))
        .as("%s", served.out())
        .isNotEmpty()
        .isSubsetOf(LEAKS);
    assertThat(methodsReportedByCistern(served)).contains("leakDirect", "leakHeap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void whenDirectMemoryRunsOutADumpNamesTheSite(String line) throws Exception {
    Result served =
        leaker(line)
            .option(NETTY + "disabled", "-XX:MaxDirectMemorySize=32m")
            .agent("listen=none,dumpDirectory=" + folder)
            .argument("65536", "1", "swap", "oom=" + folder)
            .run();
    assertDone(served);
    assertThat(served.out()).contains("out of memory");
    assertThat(dump().resolveSibling("live.txt")).content().contains("leakDirect");
    assertThat(served.agentLines()).anyMatch(text -> text.contains("dump"));
  }

  private Path dump() throws IOException {
    try (Stream<Path> dumps = Files.list(folder)) {
      return dumps
          .filter(file -> file.getFileName().toString().startsWith("cistern-dump-"))
          .findFirst()
          .orElseThrow()
          .resolve("leaks.txt");
    }
  }
}

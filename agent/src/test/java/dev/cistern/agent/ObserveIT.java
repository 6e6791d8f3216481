/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Observed hosts: their buffers stay Netty's own, and the agent exports Netty's own metrics. */
class ObserveIT {
  /** The label that every series has and that does not matter here. */
  private static final Pattern HOST_LABELS = Pattern.compile("application=\"[^\"]*\",");

  static Stream<Arguments> homesAndLines() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of("4.1", "4.2").map(line -> Arguments.of(home, line)));
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  @Tag("smoke")
  void nothingBehavesOtherwiseAndEveryBufferIsNettys(String home, String line) throws Exception {
    String paranoid = "-Dio.netty.leakDetection.level=paranoid"; // each buffer is sampled
    Result bare = HostJvm.netty(line).jdk(home).option(paranoid).run();
    Result observed =
        HostJvm.netty(line)
            .jdk(home)
            .option(paranoid, "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal")
            .agent("mode=observe,listen=none")
            .untilAgentPrints("observes")
            .run();
    assertThat(observed.exit()).as("%s", observed).isZero();
    assertThat(observed.behaviour()).isEqualTo(bare.behaviour()).endsWith("done");
    assertThat(observed.classes()).isEqualTo(bare.classes());
    assertThat(observed.agentLines())
        .singleElement()
        .asString()
        .matches("cistern: observes io\\.netty 4\\.[12]\\.\\d+\\.Final, no endpoint");
  }

  private static Result observe(String line) throws Exception {
    Path classes = Path.of("target", "test-classes").toAbsolutePath();
    Path[] classPath =
        Stream.concat(Stream.of(classes), Stream.of(NettyJars.of(line))).toArray(Path[]::new);
    return HostJvm.onClassPath("example.host.Observed", classPath)
        .agent("mode=observe,detail=all,sampleIntervalBytes=64k," + AgentEndpoint.LISTEN)
        .run();
  }

  private static List<String> lines(Result result, String of) {
    return result.out().stream()
        .filter(line -> line.startsWith(of + ' '))
        .map(line -> line.substring(of.length() + 1))
        .toList();
  }

  private static Map<String, Long> numbers(List<String> lines, String between) {
    Map<String, Long> numbers = new HashMap<>();
    for (String line : lines) {
      int at = line.lastIndexOf(between);
      if (!line.startsWith("#") && at > 0) {
        double value = Double.parseDouble(line.substring(at + between.length()));
        numbers.put(HOST_LABELS.matcher(line.substring(0, at)).replaceFirst(""), (long) value);
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void nettysMetricsAreExportedAndLiveAndLeakedBuffersHaveTheirSite(String line) throws Exception {
    Result result = observe(line);
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).endsWith("done");
    assertThat(result.classes()).allMatch(name -> name.startsWith("io.netty.buffer.")).hasSize(2);
    Map<String, Long> own = numbers(lines(result, "own"), " = ");
    Map<String, Long> metrics = numbers(lines(result, "metrics"), " ");
    assertFiguresAgree(own, metrics);
    for (String site : List.of("Observed.holdPooled:", "Observed.holdAdaptive:")) {
      assertThat(lines(result, "live")).anyMatch(text -> text.contains(site));
      assertThat(lines(result, "leaks")).noneMatch(text -> text.contains(site));
    }
    assertThat(lines(result, "live")).noneMatch(text -> text.contains("Observed.useCorrectly:"));
    assertThat(lines(result, "leaks")).anyMatch(text -> text.contains("Observed.leak:"));
    assertThat(lines(result, "state")).anyMatch(text -> text.contains("\"allocator\":\"adaptive-"));
    assertThat(lines(result, "page")).anyMatch(text -> text.contains("assets/page.js"));
  }

  private static void assertFiguresAgree(Map<String, Long> own, Map<String, Long> metrics) {
    for (String memory : List.of("direct", "heap")) {
      long pooled = own.get("pooled " + memory + " used");
      long adaptive = own.get("adaptive " + memory + " used");
      assertThat(figure(metrics, "reserved_bytes", memory)).isEqualTo(pooled + adaptive);
      assertThat(
              figure(metrics, "pinned_bytes", memory)
                  + figure(metrics, "cached_bytes", memory)
                  + figure(metrics, "free_bytes", memory))
          .isEqualTo(pooled + adaptive);
      assertThat(figure(metrics, "arenas", memory)).isEqualTo(own.get("direct arenas"));
    }
    assertThat(figure(metrics, "pinned_bytes", "direct"))
        .isEqualTo(own.get("pooled direct pinned"))
        .isGreaterThanOrEqualTo(2_000L * 10_000);
    assertThat(figure(metrics, "thread_caches", "direct")).isEqualTo(own.get("caches"));
    assertThat(figure(metrics, "chunk_size_bytes", "direct")).isEqualTo(own.get("chunk"));
    long chunks =
        metrics.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("cistern_chunks{"))
            .filter(entry -> entry.getKey().contains("memory=\"direct\""))
            .mapToLong(Map.Entry::getValue)
            .sum();
    assertThat(chunks * own.get("chunk")).isEqualTo(own.get("pooled direct used"));
    assertThat(metrics).containsEntry("cistern_netty_allocators{pool=\"io.netty\"}", 2L);
  }

  private static long figure(Map<String, Long> metrics, String name, String memory) {
    return metrics.get("cistern_" + name + "{memory=\"" + memory + "\",pool=\"io.netty\"}");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.ObjectName;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Netty 4.2's own events of the flight recorder, bare and served, and those of the agent. */
class FlightRecorderIT {
  @TempDir private Path folder;

  private static HostJvm host(String main, String home) {
    Path[] entries =
        Stream.concat(
                Stream.of(Path.of("target", "test-classes").toAbsolutePath()),
                Arrays.stream(NettyJars.of("4.2")))
            .toArray(Path[]::new);
    return HostJvm.onClassPath(main, entries).jdk(home);
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void cisternsBuffersAreRecordedAsNettysOwn(String home) throws Exception {
    Result bare = host("example.host.Recorded", home).run();
    Result served = host("example.host.Recorded", home).agent("listen=none").argument("swap").run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(sorted(served)).as("%s", served).isEqualTo(sorted(bare)).contains("done");
    assertThat(served.out())
        .contains(
            "FreeBuffer 202",
            "class AllocateChunk 2",
            "class FreeChunk 2",
            "class chunk of io.netty.buffer.PooledByteBufAllocator direct unpooled")
        .doesNotContain("class not served");
  }

  private static List<String> sorted(Result result) {
    return result.behaviour().stream().sorted().toList();
  }

  /** Starts a host under load that records. */
  private static RunningHost recorded(String settings, String... options) throws Exception {
    return HostJvm.netty("4.1")
        .main("example.host.Steady")
        .option("-XX:StartFlightRecording=settings=none")
        .option(options)
        .agent(settings)
        .start();
  }

  /** Returns the values of the fields of one kind of event so far, in order. */
  private List<Map<String, Object>> events(RunningHost host, String kind) throws Exception {
    Path file = folder.resolve("events.jfr");
    host.agent()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "jfrDump",
            new Object[] {new String[] {"filename=" + file}},
            new String[] {String[].class.getName()});
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.cistern." + kind))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .map(FlightRecorderIT::values)
        .toList();
  }

  private static Map<String, Object> values(RecordedEvent event) {
    assertThat(event.getEventType().getCategoryNames()).containsExactly("Cistern");
    assertThat(event.getStackTrace()).isNull();
    Map<String, Object> values = new HashMap<>();
    for (ValueDescriptor field : event.getFields()) {
      values.put(field.getName(), event.getValue(field.getName()));
    }
    return values;
  }

  private static Condition<Map<String, Object>> event(Object... namesAndValues) {
    return new Condition<>(
        values -> {
          for (int i = 0; i < namesAndValues.length; i += 2) {
            if (!namesAndValues[i + 1].equals(values.get(namesAndValues[i]))) {
              return false;
            }
          }
          return true;
        },
        "event with %s",
        List.of(namesAndValues));
  }

  private void awaitEvent(RunningHost host, String kind, Object... namesAndValues) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertThat(events(host, kind)).haveAtLeastOne(event(namesAndValues)));
  }

  private static long number(Map<String, Object> event, String field) {
    return (Long) event.get(field);
  }

  @Test
  void changesRefusalsLeaksAndSuspectsAreEvents() throws Exception {
    Path control = folder.resolve("control");
    long start = System.currentTimeMillis();
    try (RunningHost host = recorded("listen=none,leakLevel=paranoid,controlFile=" + control)) {
      awaitEvent(
          host, "ModeChange", "copy", "io.netty", "before", "off", "mode", "swap", "reason", "");
      RunningHost.write(control, "mode=of\nmode=observe\n");
      awaitEvent(host, "ModeChange", "before", "swap", "mode", "observe", "source", "file");
      awaitEvent(host, "Refusal", "copy", "", "count", 1L);
      assertThat(String.valueOf(events(host, "Refusal").get(0).get("reason"))).contains("'of'");
      assertThat(host.mode("swap", 100, "*")).contains(": swap, ");
      awaitEvent(host, "ModeChange", "before", "observe", "mode", "swap", "source", "jmx");
      assertThat(events(host, "ModeChange")).hasSize(3);

      host.order("lose 20");
      awaitEvent(host, "Leak", "copy", "io.netty", "memory", "direct", "latestThread", "main");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                host.order("lose 0");
                return events(host, "Leak").stream()
                    .anyMatch(event -> number(event, "found") >= 19);
              });
      List<Map<String, Object>> leaks = events(host, "Leak");
      assertThat(leaks)
          .allSatisfy(leak -> assertThat((String) leak.get("site")).contains("Steady"));
      Map<String, Object> last = leaks.get(leaks.size() - 1);
      assertThat(number(last, "found")).isLessThanOrEqualTo(20);
      assertThat(number(last, "bytes")).isBetween(19_000L, 2L * 20_480);
      assertThat(number(last, "latestBytes")).isBetween(1001L, 1020L);
      assertThat(number(last, "latestAllocated")).isGreaterThanOrEqualTo(start);

      await()
          .atMost(Duration.ofMinutes(3))
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                host.order("hold 5");
                return !events(host, "Suspect").isEmpty();
              });
      Map<String, Object> suspect = events(host, "Suspect").get(0);
      assertThat(suspect).is(event("copy", "io.netty", "memory", "direct"));
      assertThat((String) suspect.get("site")).contains("Steady");
      assertThat(number(suspect, "since")).isGreaterThan(start);
      assertThat(number(suspect, "minuteBytes")).isPositive();
      assertThat(number(suspect, "fiveMinutesBytes")).isPositive();
      assertThat(events(host, "Fallback")).isEmpty();
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "memory,memory,cistern_fallback_allocations_total",
    "engine,fault,cistern_bridge_failures_total"
  })
  void allocationsThatAreLeftToNettyAreEvents(String fault, String reason, String metric)
      throws Exception {
    try (RunningHost host = recorded(AgentEndpoint.LISTEN, "-Dcistern.test.fault=" + fault)) {
      awaitEvent(host, "ModeChange", "before", "swap", "mode", "observe", "source", "back_off");
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(
                          events(host, "Fallback").stream()
                              .mapToLong(event -> number(event, "count"))
                              .sum())
                      .isPositive()
                      .isEqualTo((long) endpoint.sum(metric)));
      assertThat(events(host, "Fallback"))
          .haveAtLeastOne(event("copy", "io.netty", "memory", "direct", "reason", reason))
          .haveAtLeastOne(event("copy", "io.netty", "memory", "heap", "reason", reason))
          .allSatisfy(event -> assertThat(event).containsEntry("reason", reason));
    }
  }

  @Test
  void aRuntimeWithoutARecorderIsServed() throws Exception {
    String home = System.getProperty("java.home");
    Result served =
        host("example.host.Host", home)
            .option("--limit-modules=java.base,java.instrument,java.logging,jdk.unsupported")
            .agent("listen=none")
            .argument("swap")
            .run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour()).endsWith("done");
    assertThat(served.classes()).contains("dev.cistern.netty.pool.CisternByteBuf");
    assertThat(served.agentLines()).singleElement().asString().contains("serves");
  }
}

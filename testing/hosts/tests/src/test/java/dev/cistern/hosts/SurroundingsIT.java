/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other agents, options and restrictions of a JVM and its environment. */
class SurroundingsIT {
  private static final Path JACOCO = HostCommand.TARGET.resolve("jacoco-agent.jar");
  private static final Path OTHER_AGENT = HostCommand.TARGET.resolve("opentelemetry-javaagent.jar");

  @TempDir private Path folder;

  private static HostCommand plain() {
    return Hosts.plain("4.1.135", HttpTalk.plain()).arguments("nio");
  }

  private static HostCommand besideAnotherAgent(HostCommand host) {
    return host.with(
        "-javaagent:" + OTHER_AGENT,
        "-Dotel.traces.exporter=none",
        "-Dotel.metrics.exporter=none",
        "-Dotel.logs.exporter=none",
        "-Dotel.javaagent.logging=none");
  }

  @Test
  void afterAnotherAgent() throws Exception {
    Comparison.compare(besideAnotherAgent(plain()), "io.netty");
  }

  @Test
  void beforeAnotherAgent() throws Exception {
    HostCommand host = besideAnotherAgent(Hosts.reactor("1.3"));
    Comparison.compare(host, host.withAgentFirst(), "io.netty");
  }

  private static HostCommand tracedBy(HostCommand host, SpanReceiver receiver) {
    return host.with(
        "-javaagent:" + OTHER_AGENT,
        "-Dotel.traces.exporter=otlp",
        "-Dotel.exporter.otlp.protocol=http/protobuf",
        "-Dotel.exporter.otlp.endpoint=" + receiver.address(),
        "-Dotel.bsp.schedule.delay=100",
        "-Dotel.metrics.exporter=none",
        "-Dotel.logs.exporter=none",
        "-Dotel.javaagent.logging=none");
  }

  /** Checks that spans of the server arrive, whichever agent the JVM loads first. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withSpansOfAnotherAgent(boolean first) throws Exception {
    try (SpanReceiver receiver = SpanReceiver.start()) {
      HostCommand host = tracedBy(Hosts.reactor("1.3"), receiver);
      try (HostProcess served =
          HostProcess.start(first ? host.withAgentFirst() : host.withAgent())) {
        int port = served.ports().get(0);
        served.metrics(1, () -> HttpTalk.plain().touch(port));
        HttpTalk.plain().talk(port);
        receiver.awaitSpans("/plaintext", "/echo", "/stream");
        served.end();
      }
    }
  }

  /**
   * Runs with JaCoCo, which instruments every loaded class of the application, including those of
   * Netty.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withJacoco(boolean first) throws Exception {
    Path executed = folder.resolve("jacoco.exec");
    HostCommand host = plain().with("-javaagent:" + JACOCO + "=destfile=" + executed);
    Comparison.compare(host, first ? host.withAgentFirst() : host.withAgent(), "io.netty");
    assertThat(executed).as("execution data of JaCoCo").isNotEmptyFile();
  }

  @Test
  void withClassesFromAnArchive() throws Exception {
    Path archive = folder.resolve("host.jsa");
    Path log = folder.resolve("classes.log");
    try (HostProcess host =
        HostProcess.start(plain().with("-XX:ArchiveClassesAtExit=" + archive))) {
      HttpTalk.plain().talk(host.ports().get(0));
      host.end();
    }
    HostCommand archived = plain().with("-XX:SharedArchiveFile=" + archive, "-Xshare:auto");
    Comparison.compare(
        archived.with("-Xlog:class+load:file=" + log), archived.withAgent(), "io.netty");
    assertThat(Files.readAllLines(log))
        .as("classes that the bare host loads")
        .anyMatch(
            line ->
                line.contains(
                    "io.netty.buffer.PooledByteBufAllocator source: shared objects file (top)"));
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "there is none any more")
  void underASecurityManagerThatAllowsAll() throws Exception {
    Comparison.compare(
        underSecurityManager("grant { permission java.security.AllPermission; };"), "io.netty");
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "there is none any more")
  void underASecurityManagerThatKnowsTheHostOnly() throws Exception {
    String policy = "grant codeBase \"file:%s/-\" { permission java.security.AllPermission; };";
    Comparison.compareDisabled(underSecurityManager(policy.formatted(HostCommand.HOSTS)));
  }

  private HostCommand underSecurityManager(String policy) throws Exception {
    Path file = Files.writeString(folder.resolve("host.policy"), policy);
    return plain().with("-Djava.security.manager", "-Djava.security.policy==" + file);
  }

  @Test
  void withoutADirectoryForTemporaryFiles() throws Exception {
    Comparison.compare(plain().with("-Djava.io.tmpdir=/no/such/directory"), "io.netty");
  }

  @Test
  void withDynamicAgentLoadingDisabled() throws Exception {
    Comparison.compare(plain().with("-XX:-EnableDynamicAgentLoading"), "io.netty");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the agent's jar, each in a JVM of its own, as an operator gives them. */
class CommandsIT {
  private static final long PATIENCE_SECONDS = 60;

  /** What a command left. */
  record Outcome(int status, String out, String err) {}

  private static Outcome command(List<String> options, String... words)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(options);
    line.addAll(List.of("-jar", HostJvm.AGENT.toString()));
    line.addAll(Arrays.asList(words));
    Process process = new ProcessBuilder(line).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), out, err);
  }

  private static Outcome cistern(String... words) throws IOException, InterruptedException {
    return command(List.of(), words);
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void aRunningHostIsFoundAttachedToAndSwitched(String home) throws Exception {
    try (RunningHost host = HostJvm.netty("4.1").main("example.host.Steady").jdk(home).start()) {
      String pid = String.valueOf(host.pid());
      assertThat(cistern("list").out())
          .containsPattern("(?m)^PID +AGENT +MAIN$")
          .containsPattern("(?m)^" + pid + " +- +example.host.Steady$");
      Outcome attached = cistern("attach", pid, "mode=observe", "listen=none");
      assertThat(attached.status()).as("%s", attached).isZero();
      assertThat(attached.out()).contains("attached to process " + pid);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> cistern("mode", pid).out().contains(": observe, "));
      assertThat(cistern("list").out())
          .containsPattern("(?m)^" + pid + " +[0-9][^ ]+ +example.host.Steady$");
      assertThat(cistern("mode", pid, "swap", "--percent", "50").out())
          .matches("io[.]netty 4[.]1[^ ]+: swap 50 %, loader [^ ]+, allocators [^;]+\n");
      Outcome again = cistern("attach", pid, "mode=off");
      assertThat(again.out()).contains("already has the agent");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> cistern("mode", pid).out().contains(": off, "));
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @Test
  void aHostThatRefusesDynamicAgentsIsSwitchedAllTheSame() throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.1")
            .main("example.host.Steady")
            .option("-XX:-EnableDynamicAgentLoading")
            .agent("listen=none")
            .start()) {
      String pid = String.valueOf(host.pid());
      assertThat(cistern("mode", pid, "observe").out()).contains(": observe, ");
      Outcome attach = cistern("attach", pid, "mode=off");
      assertThat(attach.status()).isEqualTo(1);
      assertThat(attach.err()).contains("-XX:-EnableDynamicAgentLoading");
    }
  }

  @Test
  void aHostWithoutTheAgentIsSaidSo() throws Exception {
    try (RunningHost host = HostJvm.netty("4.1").main("example.host.Steady").start()) {
      String pid = String.valueOf(host.pid());
      Outcome mode = cistern("mode", pid, "swap");
      assertThat(mode.status()).isEqualTo(1);
      assertThat(mode.err()).contains("does not have the agent", "cistern attach " + pid);
      Outcome bad = cistern("attach", pid, "mode=sideways");
      assertThat(bad.status()).isEqualTo(1);
      assertThat(bad.err()).contains("agent disabled");
      assertThat(host.errors()).anyMatch(line -> line.contains("'mode' = 'sideways'"));
      assertThat(cistern("attach", pid, "mode=off", "listen=none").status())
          .as("after a mistake, once more")
          .isZero();
      assertThat(host.attribute("Endpoint")).isEqualTo("not open yet");
    }
  }

  /** A signal begins each attach, which would end a process that is no JVM. */
  @Test
  void aProcessThatIsNoJvmIsNotTouched() throws Exception {
    Process sleeper = new ProcessBuilder("sleep", "60").start();
    try {
      Outcome outcome = cistern("attach", String.valueOf(sleeper.pid()));
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err()).contains("is not a JVM");
      assertThat(sleeper.isAlive()).isTrue();
    } finally {
      sleeper.destroy();
    }
  }

  @Test
  void aJvmThatTheSignalWouldEndIsNotTouched() throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.1").main("example.host.Steady").option("-Xrs").start()) {
      Outcome outcome = cistern("attach", String.valueOf(host.pid()));
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err()).contains("does not handle SIGQUIT");
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @Test
  void aJavaWithoutTheAttachModuleSaysSoInALine() throws Exception {
    for (String name : List.of("attach", "list", "mode")) {
      Outcome outcome = command(List.of("--limit-modules", "java.base"), name, "1");
      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err().lines()).singleElement().asString().contains("no module jdk.attach");
      assertThat(outcome.out()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "attach,missing process ID",
    "attach x,invalid process ID",
    "attach 1 swap,expected: key=value",
    "mode,missing process ID",
    "mode 1 sideways,'swap, observe or off'",
    "mode 1 swap --percent,missing value",
    "mode 1 swap --percent 0,a number from 1 to 100",
    "mode 1 swap --percent x,a number from 1 to 100",
    "mode 1 swap --copies :,copies = ':'",
    "mode 1 --percent 5,missing mode",
    "mode 1 swap now,unknown option",
    "list all,unknown option",
    "nonsense,unknown command",
  })
  void aWrongCommandLineIsNamedAndExitsTwo(String line, String message) throws Exception {
    Outcome outcome = cistern(line.split(" ", -1));
    assertThat(outcome.status()).as("%s", outcome).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
  }

  @Test
  void eachCommandHasHelp() throws Exception {
    for (String name : List.of("attach", "list", "mode")) {
      Outcome outcome = cistern(name, "--help");
      assertThat(outcome.status()).isZero();
      assertThat(outcome.out()).contains("usage: cistern " + name);
    }
  }
}

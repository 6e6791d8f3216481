/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the buffer workloads that {@code cistern bench J} measures. With the agent, each workload
 * has the same output as bare, and uses only Cistern's buffers.
 */
final class WorkloadsIT {
  private static final String MAIN = "dev.cistern.microbench.host.Outcomes";
  private static final Pattern LINE =
      Pattern.compile("(J\\d/\\S+) ([0-9a-f]{64} bytes=\\d+) ours=(\\d+) others=(\\d+)");
  private static final Pattern MISSING = Pattern.compile("(J\\d/\\S+) missing: .*");

  /** Workloads that never use a buffer. */
  private static final Set<String> WITHOUT_BUFFERS =
      Set.of(
          "J5/scheduled-cancel",
          "J5/headers",
          "J5/method-lookup",
          "J5/csv-escape",
          "J5/ip-parse",
          "J5/dates",
          "J5/cookies");

  private static Map<String, Outcome> bare;
  private static Map<String, Outcome> served;

  @TempDir private static Path directory;

  /** The output of a workload, and the number of its buffers by their library. */
  private record Outcome(String bytes, int ours, int others) {}

  @BeforeAll
  static void runBoth() throws IOException, InterruptedException {
    Path jar = HostCommand.HOSTS.resolve("../../microbench/target/microbench.jar");
    HostCommand command =
        new HostCommand(
            "workloads",
            Path.of(System.getProperty("java.home")),
            List.of(),
            List.of(jar),
            List.of(MAIN),
            List.of(),
            List.of());
    Path bareLines = directory.resolve("bare");
    Path servedLines = directory.resolve("served");
    Process first = start(command, bareLines);
    Process second = start(command.withAgent("listen=none").arguments("served"), servedLines);
    bare = outcomes(first, bareLines);
    served = outcomes(second, servedLines);
  }

  private static Process start(HostCommand command, Path lines) throws IOException {
    return command.builder().redirectErrorStream(true).redirectOutput(lines.toFile()).start();
  }

  private static Map<String, Outcome> outcomes(Process process, Path lines)
      throws IOException, InterruptedException {
    boolean ended = process.waitFor(HostProcess.LIMIT.toSeconds(), TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    String said = Files.readString(lines, StandardCharsets.UTF_8);
    assertThat(ended).as("ended within %s; it said %s", HostProcess.LIMIT, said).isTrue();
    assertThat(process.exitValue()).as("exit status; it said %s", said).isZero();
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (Matcher line = LINE.matcher(said); line.find(); ) {
      int ours = Integer.parseInt(line.group(3));
      int others = Integer.parseInt(line.group(4));
      outcomes.put(line.group(1), new Outcome(line.group(2), ours, others));
    }
    for (Matcher line = MISSING.matcher(said); line.find(); ) {
      System.out.println("left out: " + line.group());
    }
    return outcomes;
  }

  /** Compares all workloads of a group. There are at least that many on every system. */
  private static void compare(String row, int least) {
    Map<String, Outcome> expected = ofRow(bare, row);
    assertThat(expected).as("workloads of %s, bare", row).hasSizeGreaterThanOrEqualTo(least);
    Map<String, Outcome> actual = ofRow(served, row);
    assertThat(actual.keySet()).as("with the agent").isEqualTo(expected.keySet());
    expected.forEach((name, outcome) -> compare(name, outcome, actual.get(name)));
  }

  private static void compare(String name, Outcome expected, Outcome actual) {
    assertThat(actual.bytes()).as("%s: digest with the agent", name).isEqualTo(expected.bytes());
    assertThat(expected.ours()).as("%s: our buffers, bare", name).isZero();
    assertThat(actual.others()).as("%s: Netty's buffers, with the agent", name).isZero();
    boolean allocates = !WITHOUT_BUFFERS.contains(name);
    assertThat(expected.others() > 0).as("%s: buffers seen, bare", name).isEqualTo(allocates);
    assertThat(actual.ours() > 0).as("%s: our buffers, with the agent", name).isEqualTo(allocates);
  }

  private static Map<String, Outcome> ofRow(Map<String, Outcome> outcomes, String row) {
    return outcomes.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(row + "/"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static boolean hasNativeCode() {
    return System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").equals("amd64");
  }

  @Test
  @Tag("J1")
  void http1() {
    compare("J1", 4);
  }

  @Test
  @Tag("J2")
  void http2AndGrpc() {
    compare("J2", 7);
  }

  @Test
  @Tag("J3")
  void tls() {
    compare("J3", hasNativeCode() ? 7 : 4);
  }

  @Test
  @Tag("J4")
  void epoll() {
    compare("J4", hasNativeCode() ? 2 : 0);
  }

  @Test
  @Tag("J5")
  void helpers() {
    compare("J5", 9);
  }
}

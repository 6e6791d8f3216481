/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.testing.TestLength;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** BlockHound in the host, before and after the agent: no thread hangs, and nothing is refused. */
class BlockHoundIT {
  private static final int ROUNDS = TestLength.choose(1_000, 2_000, 50_000);

  /** A thread that waited at the gate would get a buffer of the pool, not of Netty. */
  private static final String GATE = "firstBufferMillis=20000";

  private static HostJvm host(String line, String version, int rounds, String... arguments) {
    Path jar = Path.of("target", "netty", "blockhound-" + version + ".jar").toAbsolutePath();
    return HostJvm.netty(line)
        .first(jar)
        .main("example.host.WatchedByBlockHound")
        .option("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+AllowRedefinitionToAddDeleteMethods")
        .option("-XX:MaxDirectMemorySize=2g")
        .argument(Integer.toString(rounds))
        .argument(arguments);
  }

  private static void assertUnharmed(Result result) {
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).as("%s", result).contains("errors []", "violations 2");
    assertThat(result.out()).filteredOn("refused"::equals).as("%s", result).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "4.1, newest, early",
    "4.2, newest, early",
    "4.1, newest, late",
    "4.2, newest, late",
    "4.1, oldest, early",
    "4.2, oldest, late"
  })
  void threadsThatMustNotBlockCompeteForThePoolsLocks(String line, String version, String installed)
      throws Exception {
    Result result =
        host(line, version, ROUNDS, installed, "swap").agent("listen=none," + GATE).run();
    assertUnharmed(result);
    assertThat(result.out()).contains("last dev.cistern.netty.pool.CisternByteBuf");
    assertThat(result.agentLines()).singleElement().asString().contains("serves");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void anEventLoopDoesNotWaitAtTheGateAndThePoolServesSoonAfter(String line) throws Exception {
    Result result =
        host(line, "newest", ROUNDS, "early", "gate", "swap").agent("listen=none," + GATE).run();
    assertUnharmed(result);
    List<String> first = result.out().stream().filter(text -> text.startsWith("first ")).toList();
    assertThat(first).singleElement().asString().contains("first io.netty.buffer.Pooled");
    assertThat(result.out()).contains("last dev.cistern.netty.pool.CisternByteBuf");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void anObservedHostIsNotRefusedAnything(String line) throws Exception {
    int rounds = ROUNDS / 10; // Netty allocates and frees 6 MiB in each
    Result result = host(line, "newest", rounds, "early").agent("mode=observe,listen=none").run();
    assertUnharmed(result);
    assertThat(result.out()).noneMatch(text -> text.contains("dev.cistern"));
  }
}

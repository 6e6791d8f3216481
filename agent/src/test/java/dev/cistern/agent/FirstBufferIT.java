/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pool serves from the first buffer on, so that Netty allocates no chunk that it would keep
 * forever.
 */
class FirstBufferIT {
  /**
   * Classes that the agent's thread may initialise, because they call no code that waits: a
   * switch's table, arithmetic, access to a reference count, events of the flight recorder.
   */
  private static final List<String> LEAVES =
      List.of(
          "AbstractByteBufAllocator$1'",
          "internal/MathUtil'",
          "internal/RefCnt'",
          "internal/RefCnt$UnsafeRefCnt'",
          "BufferEvent'",
          "ChunkEvent'");

  @TempDir private Path folder;

  private static final String POOL_BUFFER = "buffer dev.cistern.netty.pool.CisternByteBuf";

  private static HostJvm host(String line) {
    return host(line, "disabled");
  }

  private static HostJvm host(String line, String leakLevel) {
    return HostJvm.netty(line)
        .main("example.host.FirstBuffers")
        .option("-Dio.netty.leakDetection.level=" + leakLevel)
        .agent("listen=none,firstBufferMillis=20000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void firstBuffersOfAllThreadsAreFromThePool(String line) throws Exception {
    Result result = host(line).run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).as("%s", result).contains("chunks of Netty 0");
    assertThat(result.out()).filteredOn(POOL_BUFFER::equals).as("%s", result).hasSize(4);
    assertThat(result.out()).as("%s", result).contains("the agent's thread is interrupted false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void firstBuffersOfAnAllocatorThatIsLoadedLateAreFromThePool(String line) throws Exception {
    Result result = host(line).argument("adaptive").run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).filteredOn(POOL_BUFFER::equals).as("%s", result).hasSize(4);
  }

  /**
   * While the host waits, the agent's thread initialises no class of Netty that could wait for the
   * host. It initialises only classes that do not log, lock or initialise further classes of Netty.
   */
  @ParameterizedTest
  @MethodSource("linesAndLeakLevels")
  void theAgentsThreadInitialisesNothingOfNettyThatCouldWait(String line, String leakLevel)
      throws Exception {
    Path log = folder.resolve("init.txt");
    Result result =
        host(line, leakLevel)
            .option("-Dio.netty.leakDetection.samplingInterval=1") // each buffer at any level
            .option("-Xlog:class+init=info:file=" + log + ":tid")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    List<String> initialised = Files.readAllLines(log);
    String thread = agentThread(initialised);
    assertThat(initialised)
        .filteredOn(text -> text.startsWith(thread) && text.contains("Initializing 'io/netty/"))
        .isNotEmpty()
        .filteredOn(text -> !text.contains("(no method)") && !text.contains("/Cistern"))
        .allMatch(text -> LEAVES.stream().anyMatch(text::contains));
  }

  private static String agentThread(List<String> initialised) {
    return initialised.stream()
        .filter(text -> text.contains("'dev/cistern/bridge/SelfTest'"))
        .map(text -> text.substring(0, text.indexOf(']') + 1))
        .findFirst()
        .orElseThrow();
  }

  /**
   * That would delay the host's first buffer by some ten milliseconds, and could fail permanently
   * in that thread.
   */
  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theHostsThreadsDoNotInitialiseTheLeakDetector(String line) throws Exception {
    Path log = folder.resolve("init.txt");
    Result result =
        HostJvm.netty(line)
            .main("example.host.FirstBuffers")
            .agent("listen=none,statsDirectory=none,firstBufferMillis=20000,sampleIntervalBytes=0")
            .option("-Xlog:class+init=info:file=" + log + ":tid")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    List<String> initialised = Files.readAllLines(log);
    String thread = agentThread(initialised);
    assertThat(initialised)
        .filteredOn(text -> text.contains("'dev/cistern/netty/pool/NettyLeakDetector'"))
        .isNotEmpty()
        .allMatch(text -> text.startsWith(thread));
  }

  /**
   * Returns the lines and leak levels. Netty tracks one of about a hundred buffers at simple and
   * advanced, and each buffer at paranoid.
   */
  static Stream<Arguments> linesAndLeakLevels() {
    return Stream.of("4.1", "4.2")
        .flatMap(
            line ->
                Stream.of("disabled", "simple", "advanced", "paranoid")
                    .map(level -> Arguments.of(line, level)));
  }

  @ParameterizedTest
  @MethodSource("linesAndLeakLevels")
  void aLoggingFrameworkThatMakesTheFirstBufferDoesNotHang(String line, String leakLevel)
      throws Exception {
    Result result =
        host(line, leakLevel)
            .main("example.host.LoggingBuffers")
            .option("-Dio.netty.leakDetection.samplingInterval=1")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).as("%s", result).containsExactly(POOL_BUFFER, "done");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aCopyTurnedOffBeforeItsFirstBufferKeepsNoCodeOfTheAgent(String line) throws Exception {
    Result result = host(line).argument("off").run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out())
        .as("%s", result)
        .doesNotContain(POOL_BUFFER)
        .anyMatch(text -> text.contains("nothing of the agent is left in its classes"));
  }
}

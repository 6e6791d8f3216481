/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes that are changed while a host is under load. */
class ModesIT {
  private static final String CISTERN = "dev.cistern.netty.";
  private static final int FLIPS = 1_000;
  private static final int WARM_UP_FLIPS = 400;

  @TempDir private Path folder;

  static Stream<Arguments> homesAndLines() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of("4.1", "4.2").map(line -> Arguments.of(home, line)));
  }

  private static long[] memory(RunningHost host) throws Exception {
    return Stream.of(host.order("memory").split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  /** Returns the maximum of several measurements in the mode in which both pools are in use. */
  private static long[] mostMemory(RunningHost host) throws Exception {
    host.mode("swap", 100, "*");
    long[] most = memory(host);
    for (int look = 0; look < 5; look++) {
      long[] now = memory(host);
      Arrays.setAll(most, i -> Math.max(most[i], now[i]));
    }
    return most;
  }

  /**
   * Checks that six hundred mode changes leave nothing. It fails if each leaves 4 KiB in byte
   * arrays or in other objects, 3 byte arrays, or 2 KiB of class metadata. The smallest of several
   * measurements counts.
   */
  private static void assertNotGrown(long[] before, RunningHost host) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              long[] after = memory(host);
              assertThat(after[0]).as("KiB of objects").isLessThan(before[0] + 2_000);
              assertThat(after[1]).as("byte arrays").isLessThan(before[1] + 1_500);
              assertThat(after[2]).as("KiB of byte arrays").isLessThan(before[2] + 2_000);
              assertThat(after[3]).as("KiB of class metadata").isLessThan(before[3] + 900);
              assertThat(after[4]).as("threads").isLessThanOrEqualTo(before[4] + 2);
            });
  }

  private static HostJvm steady(String line) {
    return HostJvm.netty(line).main("example.host.Steady");
  }

  private static long buffersOfThePool(RunningHost host) throws Exception {
    return Stream.of(host.order("classes").split(" ", -1))
        .filter(name -> name.startsWith(CISTERN))
        .count();
  }

  /** Allocators that the host initializes later are instrumented later. */
  private static void awaitEachServed(RunningHost host) {
    Set<Integer> served = new HashSet<>();
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              String[] types = host.order("classes").split(" ", -1);
              IntStream.range(0, 6).filter(i -> types[i].startsWith(CISTERN)).forEach(served::add);
              return served.size() == 6;
            });
  }

  private static void awaitServed(RunningHost host) {
    await().atMost(Duration.ofSeconds(30)).until(() -> buffersOfThePool(host) == 6);
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  void aThousandFlipsUnderLoadHarmNothing(String home, String line) throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    Random random = new Random(seed);
    Path control = folder.resolve("control");
    String settings = "listen=none,decayMillis=1000,controlFile=" + control;
    HostJvm steady = HostJvm.nettyWithTransport(line).main("example.host.Steady");
    try (RunningHost host = steady.jdk(home).argument("channels").agent(settings).start()) {
      awaitServed(host);
      long[] before = new long[0];
      String last = "swap";
      for (int flip = 0; flip < FLIPS; flip++) {
        if (flip == WARM_UP_FLIPS) {
          before = mostMemory(host);
          last = "swap";
        }
        int percent = 1 + random.nextInt(99);
        String mode = random.nextBoolean() ? "observe" : "off";
        boolean isShare = random.nextBoolean();
        String next = isShare ? "swap " + percent + " %" : last.equals(mode) ? "swap" : mode;
        String command = isShare ? "mode=swap,percent=" + percent : "mode=" + next;
        RunningHost.write(control, "# flip " + flip + "\n" + command + "\n");
        String awaited = ": " + next + ", ";
        await()
            .alias("seed " + seed + ", flip " + flip)
            .atMost(Duration.ofSeconds(10))
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> host.inventory().contains(awaited));
        last = next;
      }
      assertThat(host.inventory()).as("seed %d", seed).doesNotContain("; ");
      host.mode("swap", 100, "*");
      assertNotGrown(before, host);
      assertThat(buffersOfThePool(host)).isEqualTo(6);
      assertThat(host.order("watching")).as("channels and holders").isEqualTo("true true");
      host.mode("off", 100, "*");
      assertThat(buffersOfThePool(host)).isZero();
      assertThat(host.order("watching")).as("channels and holders").isEqualTo("false false");
      assertThat(host.order("stop")).as("seed %d: errors of the host", seed).isEqualTo("0");
      assertThat(host.errors())
          .as("seed %d", seed)
          .filteredOn(text -> !text.startsWith("cistern: ") && !text.contains("WARNING"))
          .isEmpty();
      assertThat(host.exit()).isZero();
    }
  }

  /** One thread rewrites the control file, one sets modes by JMX, and one detaches. */
  @Test
  void commandsOfAllSourcesAtOnceHarmNothing() throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    Path control = folder.resolve("control");
    String settings = "listen=none,decayMillis=500,controlFile=" + control;
    try (RunningHost host = steady("4.1").agent(settings).start()) {
      awaitServed(host);
      Files.createFile(
          control,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
      String[] modes = {"swap", "observe", "off"};
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
      Callable<Integer> byFile =
          () -> {
            Random random = new Random(seed);
            int count = 0;
            for (; System.nanoTime() < end; count++) {
              String mode = "mode=" + modes[random.nextInt(modes.length)] + "\n";
              Files.writeString(control, "# command " + count + "\n" + mode);
            }
            return count;
          };
      Callable<Integer> byJmx =
          () -> {
            Random random = new Random(seed + 1);
            int count = 0;
            for (; System.nanoTime() < end; count++) {
              host.modeIfAttached(modes[random.nextInt(modes.length)]);
            }
            return count;
          };
      ExecutorService threads = Executors.newFixedThreadPool(3);
      try {
        Future<Integer> files = threads.submit(byFile);
        Future<Integer> modesByJmx = threads.submit(byJmx);
        Future<Integer> detachments = threads.submit(() -> host.detachUntil(end));
        assertThat(files.get()).as("files, seed %d", seed).isGreaterThan(100);
        assertThat(modesByJmx.get()).as("modes, seed %d", seed).isPositive();
        assertThat(detachments.get()).as("detachments, seed %d", seed).isPositive();
      } finally {
        threads.shutdownNow();
      }
      host.attach(settings);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                host.attach("mode=swap");
                return buffersOfThePool(host) == 6;
              });
      assertThat(host.order("stop")).as("seed %d: errors of the host", seed).isEqualTo("0");
      assertThat(host.errors())
          .as("seed %d", seed)
          .noneMatch(line -> line.contains("will retry"))
          .filteredOn(line -> !line.startsWith("cistern: ") && !line.contains("WARNING"))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void buffersInUseStayValidAndThenTheHostsClassesAreRestored(String line) throws Exception {
    try (RunningHost host = steady(line).agent("listen=none,decayMillis=500").start()) {
      awaitServed(host);
      assertThat(host.wovenClasses(folder)).contains("PooledByteBufAllocator");
      host.order("hold 300");
      host.mode("off", 100, "*");
      assertThat(buffersOfThePool(host)).isZero();
      host.order("drop");
      assertThat(host.order("stop")).isEqualTo("0");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> host.inventory().contains("; nothing of the agent is left in its classes"));
      assertThat(host.wovenClasses(folder)).isEmpty();
      host.mode("swap", 100, "*");
      assertThat(buffersOfThePool(host)).as("served again").isEqualTo(6);
      assertThat(host.exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aPercentageIsServedAndNettyServesTheRemainder(String line) throws Exception {
    try (RunningHost host = steady(line).agent("listen=none,percent=30").start()) {
      awaitEachServed(host);
      int rounds = 400;
      long pooled = 0;
      for (int i = 0; i < rounds; i++) {
        pooled += buffersOfThePool(host);
      }
      double expected = rounds * 6 * 0.3;
      double deviation = Math.sqrt(rounds * 6 * 0.3 * 0.7);
      assertThat((double) pooled).isBetween(expected - 6 * deviation, expected + 6 * deviation);
      assertThat(host.inventory()).contains("swap 30 %");
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exclude=io.netty", "include=io.grpc.*", "exclude=*@app", "mode=off"})
  void aCopyThatTheSettingsTurnOffCanBeNamedAtRunTime(String setting) throws Exception {
    try (RunningHost host = steady("4.1").agent("listen=none," + setting).start()) {
      assertThat(host.inventory()).contains("io.netty 4.1").contains(": off, ");
      assertThat(buffersOfThePool(host)).isZero();
      assertThat(host.mode("swap", 100, "io.*")).contains(": swap, ");
      assertThat(buffersOfThePool(host)).isEqualTo(6);
      host.mode(setting.equals("mode=off") ? "off" : "swap", 100, "*");
      assertThat(buffersOfThePool(host)).as("all copies, according to the settings again").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sideways", "", "SWAP"})
  void anUnknownModeIsRefusedAndNothingChanges(String mode) throws Exception {
    try (RunningHost host = steady("4.1").agent("listen=none").start()) {
      awaitServed(host);
      assertThatThrownBy(() -> host.mode(mode, 100, "*"))
          .rootCause()
          .hasMessageContaining("mode: '" + mode + "'")
          .hasMessageContaining("swap, observe or off");
      assertThatThrownBy(() -> host.mode("swap", 0, "*"))
          .rootCause()
          .hasMessageContaining("percent: '0'");
      assertThatThrownBy(() -> host.mode("swap", 100, "a b"))
          .rootCause()
          .hasMessageContaining("copies: 'a b'");
      assertThat(host.mode("off", 100, "io.grpc.*"))
          .contains("not changed: no copy matches io.grpc.*");
      assertThat(buffersOfThePool(host)).isEqualTo(6);
      assertThat(host.attribute("Mode")).isEqualTo("swap");
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread that uses the memory of a buffer up to 0.9 s after the pool has released the memory
 * reads old data, and the JVM does not crash.
 */
@Tag("alone") // it uses memory at moments in time
class LateReadersIT {
  private static final int REGIONS = 4;
  private static final int SIDE_BY_SIDE = 2;

  /** Number of runs. A host that is late does not use the memory, and runs again. */
  private static final int MAX_RUNS = 4;

  private static final String FLAG = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /**
   * Limit of direct memory. The pool releases regions beyond its extent cache, an eighth of this
   * limit, at once.
   */
  private static final String LIMIT = "-XX:MaxDirectMemorySize=120m";

  /**
   * @param isBound whether views end with the memory
   */
  private record Subject(String name, String way, Supplier<HostJvm> host, boolean isBound) {}

  @Test
  void releasedMemoryCanBeUsedForNineTenthsOfASecond() throws Exception {
    List<Subject> subjects = new ArrayList<>();
    for (String home : HostJvm.homes().toList()) {
      boolean isJdk25 = HostJvm.isJdk25(home);
      String java = isJdk25 ? ", Java 25" : "";
      for (String line : List.of("4.1", "4.2")) {
        boolean isBound = isJdk25 && line.equals("4.2");
        subjects.add(
            new Subject(
                "Netty " + line + ", agent" + java,
                "mmap_jdk",
                () -> host(home, line).agent("listen=none").argument("served").option(LIMIT),
                isBound));
      }
      subjects.add(
          new Subject("library, flag" + java, "mmap_jdk", () -> library(home).option(FLAG), false));
      subjects.add(new Subject("library" + java, "malloc_mmap", () -> library(home), false));
      if (isJdk25) {
        subjects.add(
            new Subject(
                "library, native access" + java,
                "mmap_linker",
                () -> library(home).option(NATIVE_ACCESS),
                false));
      }
    }
    ExecutorService drivers = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    try {
      List<Future<String>> running = new ArrayList<>();
      for (Subject subject : subjects) {
        running.add(drivers.submit(() -> measure(subject)));
      }
      for (Future<String> each : running) {
        System.out.println(each.get());
      }
    } finally {
      drivers.shutdownNow();
    }
  }

  /** Netty's own views behave like the agent's after their memory is freed. */
  @Test
  void viewsOfNetty42OnJava25EndWithoutTheAgentToo() throws Exception {
    for (String home : HostJvm.homes().filter(HostJvm::isJdk25).toList()) {
      Result bare = host(home, "4.2").argument("bare").run();
      assertThat(bare.exit()).as("%s", bare).isZero();
      assertViewsHaveEnded(bare);
    }
  }

  private static HostJvm host(String home, String line) {
    return HostJvm.netty(line).jdk(home).main("example.host.LateReaders");
  }

  private static HostJvm library(String home) {
    return host(home, "4.1")
        .first(HostJvm.library())
        .argument("library")
        .option("-Dcistern.allocator.extentCacheBytes=0");
  }

  private static String measure(Subject subject) throws Exception {
    Result result = null;
    for (int run = 0; run < MAX_RUNS && (result == null || isTooLate(result)); run++) {
      HostJvm host = subject.host.get();
      result = subject.isBound ? host.argument("bound").run() : host.run();
    }
    assertThat(result).isNotNull();
    assertThat(result.exit()).as("%s: %s", subject.name, result).isZero();
    assertThat(result.out())
        .as("%s: %s", subject.name, result)
        .contains(
            "mapped at the last moment " + REGIONS, "wrong words 0", "mapped in the end 0", "done");
    assertThat(mebibytesThatLeft(result)).as("%s: %s", subject.name, result).isGreaterThan(60);
    assertThat(result.out().toString() + result.err())
        .as(subject.name)
        .containsPattern("(way|memory by) " + subject.way);
    if (subject.isBound) {
      assertViewsHaveEnded(result);
    }
    return subject.name + ", " + subject.way + ": " + line(result, "unmapped ");
  }

  private static boolean isTooLate(Result result) {
    return result.out().stream().anyMatch(line -> line.startsWith("too late"));
  }

  private static int mebibytesThatLeft(Result result) {
    return Integer.parseInt(line(result, "left the pool MiB ").replaceAll("\\D", ""));
  }

  private static String line(Result result, String start) {
    return result.out().stream().filter(each -> each.startsWith(start)).findFirst().orElse("");
  }

  private static void assertViewsHaveEnded(Result result) {
    for (String use : List.of("read ", "write ")) {
      assertThat(result.out())
          .as("%s", result)
          .filteredOn(line -> line.startsWith(use))
          .isEqualTo(Collections.nCopies(REGIONS, use + "java.lang.IllegalStateException"));
    }
  }
}

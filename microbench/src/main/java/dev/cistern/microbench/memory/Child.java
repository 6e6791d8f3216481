/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A child JVM, and the thread that reads its output. */
final class Child {
  /** The arguments of all children, whatever the allocator. */
  static final List<String> JVM_ARGUMENTS =
      List.of(
          "-XX:+UseG1GC",
          "-Xms64m",
          "-Xmx768m",
          "-XX:MaxDirectMemorySize=2g",
          "-Dio.netty.leakDetection.level=disabled");

  /** The time limit of a child, in addition to its idle time. */
  private static final int TIMEOUT_SECONDS = 120;

  final Outcome outcome;
  private final Process process;
  private final Thread reader;
  private final CountDownLatch idling = new CountDownLatch(1);
  private volatile long residentBytes;

  Child(Scenario scenario, SubjectKind kind, long seed, int idleSeconds) throws IOException {
    outcome = new Outcome(scenario, kind);
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(JVM_ARGUMENTS);
    command.addAll(kind.jvmArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path", ""));
    command.add(MemoryChild.class.getName());
    command.addAll(List.of(scenario.word(), kind.word(), "" + seed, "" + idleSeconds));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    reader = new Thread(this::read, "reader of " + scenario.word() + " " + kind.word());
    reader.setDaemon(true);
    reader.start();
    int pauses = scenario.pauses() ? BurstCycles.CYCLES * BurstCycles.PAUSE_SECONDS : 0;
    endLater(TIMEOUT_SECONDS + idleSeconds + pauses);
  }

  private static String java() {
    return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
  }

  private void endLater(int seconds) {
    Thread watch =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException ended) {
                process.destroyForcibly();
              }
            });
    watch.setDaemon(true);
    watch.start();
  }

  private void read() {
    String firstError = "";
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line; (line = lines.readLine()) != null; ) {
        outcome.read(line);
        if (firstError.isEmpty() && line.contains("Error") && !line.startsWith(Bed.DETAIL)) {
          firstError = line;
        }
        Point idle = outcome.lastIdle();
        Point pause = outcome.point(BurstCycles.PAUSE);
        if (idle != null) {
          residentBytes = idle.resident();
          idling.countDown();
        } else if (pause != null) {
          residentBytes = pause.resident() + BurstCycles.BYTES;
          idling.countDown();
        }
      }
      int status = process.waitFor();
      if (status != 0) {
        outcome.fail(firstError.isEmpty() ? "status " + status : firstError);
      }
    } catch (IOException | InterruptedException | RuntimeException broken) {
      outcome.fail(broken.toString());
      process.destroyForcibly();
    }
    residentBytes = 0;
    idling.countDown();
  }

  /** Waits until the child sleeps or has ended, so that the next can start. */
  void awaitIdle() throws InterruptedException {
    idling.await();
  }

  /** Waits until the child has ended. */
  Outcome await() throws InterruptedException {
    reader.join();
    return outcome;
  }

  /** Returns the resident memory while the child idles; 0 after its end. */
  long residentBytes() {
    return residentBytes;
  }
}

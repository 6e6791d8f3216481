/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@link TurnTaking} that start a JVM for each test class ({@link OneClass}). */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnTakingTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private final List<TestJvm> jvms = new ArrayList<>();

  private record TestJvm(Process process, BufferedReader output) {
    void awaits(String line) throws IOException {
      assertThat(output.readLine()).isEqualTo(line);
    }

    void goOn() throws IOException {
      process.outputWriter().append('\n').flush();
    }
  }

  @AfterEach
  void endAll() {
    jvms.forEach(jvm -> jvm.process().destroyForcibly());
  }

  @Test
  void ordinaryClassesRunAtTheSameTime() throws IOException {
    TestJvm first = start();
    first.awaits(OneClass.STARTED);
    start().awaits(OneClass.STARTED);
    assertThat(first.process().isAlive()).isTrue();
  }

  @Test
  void aClassWaitsToBeAloneAndALaterOneWaitsBehindIt() throws IOException {
    TestJvm ordinary = start();
    ordinary.awaits(OneClass.STARTED);
    TestJvm alone = start("alone");
    awaitGateHeld();
    TestJvm later = start();
    assertStay(alone, later);
    finish(ordinary);
    alone.awaits(OneClass.STARTED);
    awaitGateHeld();
    assertStay(later);
    finish(alone);
    later.awaits(OneClass.STARTED);
  }

  @Test
  void aKilledJvmGivesItsTurnBack() throws IOException {
    TestJvm killed = start("alone");
    killed.awaits(OneClass.STARTED);
    TestJvm next = start("alone");
    awaitGateHeld();
    killed.process().destroyForcibly();
    next.awaits(OneClass.STARTED);
  }

  /** Starts a class, and returns when it waits for its turn. */
  private TestJvm start(String... tag) throws IOException {
    ProcessBuilder builder = Tool.java(List.of("-Xmx64m"), OneClass.class, directory.toString());
    builder.command().addAll(List.of(tag));
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    TestJvm jvm = new TestJvm(process, process.inputReader());
    jvms.add(jvm);
    jvm.awaits(OneClass.WAITS);
    return jvm;
  }

  /** Lets a class finish. The JVM continues to run, as a reused test JVM does. */
  private static void finish(TestJvm jvm) throws IOException {
    jvm.goOn();
    jvm.awaits(OneClass.FINISHED);
    assertThat(jvm.process().isAlive()).isTrue();
  }

  private static void assertStay(TestJvm... waiting) {
    await("no waiting class starts")
        .during(Duration.ofMillis(300))
        .atMost(LIMIT)
        .until(
            () -> {
              for (TestJvm jvm : waiting) {
                assertThat(jvm.output().ready()).isFalse();
              }
              return true;
            });
  }

  private void awaitGateHeld() {
    await("a class waits for its turn").atMost(LIMIT).until(this::isGateHeld);
  }

  private boolean isGateHeld() throws IOException {
    try (FileChannel gate =
            FileChannel.open(
                directory.resolve(TurnTaking.GATE),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = gate.tryLock()) {
      return lock == null;
    }
  }
}

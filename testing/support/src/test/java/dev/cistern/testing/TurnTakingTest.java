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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TurnTakingTest {
  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void ordinaryClassesRunAtTheSameTime() throws IOException {
    BufferedReader first = run();
    BufferedReader second = run();
    assertThat(first.readLine()).isEqualTo(OneClass.STARTED);
    assertThat(second.readLine()).isEqualTo(OneClass.STARTED);
  }

  @Test
  void aClassWaitsToBeAloneAndLaterOnesWaitBehindIt() throws Exception {
    BufferedReader ordinary = run();
    assertThat(ordinary.readLine()).isEqualTo(OneClass.STARTED);
    BufferedReader alone = run("alone");
    await("waits at the gate").until(this::isGateHeld);
    BufferedReader later = run();
    assertThat(alone.ready()).isFalse();
    end(0);
    assertThat(alone.readLine()).isEqualTo(OneClass.STARTED);
    await("waits at the gate").until(this::isGateHeld);
    assertThat(later.ready()).isFalse();
    end(1);
    assertThat(later.readLine()).isEqualTo(OneClass.STARTED);
  }

  @Test
  void aKilledJvmGivesItsTurnBack() throws IOException {
    BufferedReader killed = run("alone");
    assertThat(killed.readLine()).isEqualTo(OneClass.STARTED);
    BufferedReader next = run("alone");
    await("waits at the gate").until(this::isGateHeld);
    started.get(0).destroyForcibly();
    assertThat(next.readLine()).isEqualTo(OneClass.STARTED);
  }

  private BufferedReader run(String... tag) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            OneClass.class.getName(),
            directory.toString());
    builder.command().addAll(List.of(tag));
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(process);
    return process.inputReader();
  }

  private void end(int index) throws Exception {
    Process process = started.get(index);
    process.getOutputStream().close();
    assertThat(process.waitFor()).isZero();
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

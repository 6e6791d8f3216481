/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.netty.CommandSource;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.agent.netty.ModeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandReaderTest {
  private static final ModeCommand OFF =
      new ModeCommand(Mode.OFF, CopyPattern.ALL, ModeSource.FILE, false);

  private final Files files = new Files();
  private final CommandReader reader = new CommandReader(files, 1);

  /** Files whose file system hangs on request. */
  private static final class Files implements CommandSource {
    final List<String> refusals = new CopyOnWriteArrayList<>();
    final AtomicInteger calls = new AtomicInteger();
    volatile CountDownLatch answer = new CountDownLatch(0);
    volatile boolean isBroken;

    @Override
    public List<ModeCommand> poll() {
      calls.incrementAndGet();
      if (isBroken) {
        throw new OutOfMemoryError("none");
      }
      for (boolean isHanging = true; isHanging; ) {
        try {
          answer.await();
          isHanging = false;
        } catch (InterruptedException ignored) {
          // a file system that hangs ignores it, too
        }
      }
      return List.of(OFF);
    }

    @Override
    public void refuse(String reason) {
      refusals.add(reason);
    }
  }

  @AfterEach
  void end() {
    files.answer.countDown();
    reader.close();
  }

  @Test
  void commandsArriveWithTheCallThatFetchesThem() {
    assertThat(reader.poll()).containsExactly(OFF);
    assertThat(reader.poll()).containsExactly(OFF);
    assertThat(files.refusals).isEmpty();
  }

  @Test
  void aFileSystemThatHangsIsReportedOnceAndItsCommandsArriveLater() {
    files.answer = new CountDownLatch(1);
    long begin = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      assertThat(reader.poll()).isEmpty();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> reader.poll().isEmpty() && !files.refusals.isEmpty());
    assertThat(reader.poll()).isEmpty();
    assertThat(files.refusals).singleElement().asString().contains("not answered for 1 s");
    assertThat(files.calls).hasValue(1);
    files.answer.countDown();
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF));
    assertThat(files.calls).hasValue(1);
  }

  @Test
  void aFailureIsCountedAndTheNextCallTriesAgain() {
    files.isBroken = true;
    assertThat(reader.poll()).isEmpty();
    assertThat(files.refusals).singleElement().asString().contains("OutOfMemoryError");
    files.isBroken = false;
    assertThat(reader.poll()).containsExactly(OFF);
  }

  @Test
  void anInterruptOfTheCallerLosesNoCommand() {
    Thread.currentThread().interrupt();
    assertThat(reader.poll()).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF));
    assertThat(files.calls).hasValue(1);
  }

  @Test
  void itsThreadEndsWithIt() {
    assertThat(reader.poll()).containsExactly(OFF);
    reader.close();
    await().until(() -> threads("cistern-agent-control") == 0);
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().equals(name))
        .count();
  }
}

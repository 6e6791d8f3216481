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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandReaderTest {
  private static final ModeCommand OFF =
      new ModeCommand(Mode.OFF, CopyPattern.ALL, ModeSource.FILE, false);

  private static final ModeCommand OBSERVE =
      new ModeCommand(Mode.OBSERVE, CopyPattern.ALL, ModeSource.JMX, true);

  private final Files files = new Files();
  private CommandReader reader = new CommandReader(files, 10_000, 20_000);

  /** Files whose file system hangs on request. */
  private static final class Files implements CommandSource {
    final List<String> refusals = new CopyOnWriteArrayList<>();
    final AtomicInteger calls = new AtomicInteger();
    volatile CountDownLatch answer = new CountDownLatch(0);
    volatile boolean isBroken;
    volatile boolean isSlow;

    @Override
    public List<ModeCommand> poll() {
      calls.incrementAndGet();
      if (isBroken) {
        throw new OutOfMemoryError("none");
      }
      if (isSlow) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
      }
      for (boolean isHanging = true; isHanging; ) {
        try {
          answer.await();
          isHanging = false;
        } catch (InterruptedException ignored) {
          // a file system that hangs also ignores an interrupt
        }
      }
      return List.of(OFF);
    }

    @Override
    public void carriedOut(ModeCommand command) {}

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

  /** The file system hangs, and the agent's thread no longer waits for it. */
  private void hang(long reportMillis) {
    reader = new CommandReader(files, 1, reportMillis);
    files.answer = new CountDownLatch(1);
    assertThat(reader.poll()).isEmpty();
  }

  @Test
  void aFileSystemThatHangsIsReportedOnceAndItsCommandsArriveLater() {
    hang(10);
    await().until(() -> reader.poll().isEmpty() && !files.refusals.isEmpty());
    assertThat(reader.poll()).isEmpty();
    assertThat(files.refusals).singleElement().asString().contains("has not answered for");
    files.answer.countDown();
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF));
    assertThat(files.calls).hasValue(1);
  }

  @Test
  void aCommandDuringTheReadOfAFileIsTheLast() {
    hang(60_000);
    reader.carriedOut(OBSERVE);
    files.answer.countDown();
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF, OBSERVE));
    reader.carriedOut(OBSERVE);
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF));
    assertThat(files.refusals).isEmpty();
  }

  @Test
  void noReadIsAwaitedAfterASlowOneUntilOneIsFast() {
    files.isSlow = true;
    assertThat(reader.poll()).containsExactly(OFF);
    assertThat(reader.poll()).as("does not wait").isEmpty();
    files.isSlow = false;
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF)); // the slow one
    await().untilAsserted(() -> assertThat(reader.poll()).containsExactly(OFF)); // a fast one
  }

  @Test
  void aFailureIsReportedOnceAndTheNextCallTriesAgain() {
    files.isBroken = true;
    assertThat(reader.poll()).isEmpty();
    assertThat(reader.poll()).isEmpty();
    assertThat(files.refusals).singleElement().asString().contains("OutOfMemoryError: none");
    files.isBroken = false;
    assertThat(reader.poll()).containsExactly(OFF);
    assertThat(files.calls).hasValue(3);
  }

  @Test
  void anInterruptOfTheCallerLosesNoCommand() {
    files.answer = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    assertThat(reader.poll()).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    files.answer.countDown();
    assertThat(reader.poll()).containsExactly(OFF);
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

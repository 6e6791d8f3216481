/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.scheduler.NonBlocking;

/** No thread waits at the gate for long, whatever the agent's thread does. */
@Timeout(30)
@ExtendWith(BridgeDefaults.class)
class FirstAllocationGateTest {
  private static final int WAIT_MILLIS = 1_000;
  private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);

  private final Thread agentThread = new Thread(() -> {}, "agent");
  private final FirstAllocationGate gate = new FirstAllocationGate(agentThread, WAIT_MILLIS);

  @AfterEach
  void noGateIsLeft() {
    gate.open();
  }

  private long passNanos() {
    long begin = System.nanoTime();
    gate.run();
    return System.nanoTime() - begin;
  }

  @Test
  void anAgentThatNeverOpensTheGateDelaysOnlyOnce() {
    assertThat(passNanos()).isGreaterThan(WAIT_NANOS / 2);
    assertThat(passNanos()).isLessThan(WAIT_NANOS);
  }

  /** A thread like those of Reactor Netty. */
  private static final class EventLoop extends FastThreadLocalThread implements NonBlocking {
    EventLoop(Runnable work) {
      super(work);
    }
  }

  /**
   * It wakes the agent's thread and leaves the gate closed, so that other threads wait until the
   * time is over.
   */
  @Test
  void aThreadThatReactorMarksAsNonBlockingDoesNotWait() throws InterruptedException {
    AtomicLong passNanos = new AtomicLong();
    Thread loop = new EventLoop(() -> passNanos.set(passNanos()));
    loop.start();
    loop.join();
    assertThat(passNanos.get()).isPositive().isLessThan(WAIT_NANOS / 2);
    assertThat(passNanos()).as("an ordinary thread").isGreaterThan(WAIT_NANOS / 4);
    assertThat(passNanos()).isLessThan(WAIT_NANOS / 2);
  }

  @Test
  void anOpenGateDelaysNoThread() {
    gate.open();
    assertThat(passNanos()).isLessThan(WAIT_NANOS);
  }

  @Test
  void anInterruptedThreadDoesNotWaitAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertThat(passNanos()).isLessThan(WAIT_NANOS);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void theAgentsOwnThreadDoesNotWaitForItself() {
    FirstAllocationGate own = new FirstAllocationGate(Thread.currentThread(), 60_000);
    long begin = System.nanoTime();
    own.run();
    assertThat(System.nanoTime() - begin).isLessThan(WAIT_NANOS);
  }
}

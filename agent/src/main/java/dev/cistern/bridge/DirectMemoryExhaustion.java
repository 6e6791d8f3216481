/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Tells the agent's thread that native memory has run out; it is that thread that acts. */
final class DirectMemoryExhaustion {
  private static final AtomicLong COUNT = new AtomicLong();

  /** The agent's thread: it lives as long as the JVM. */
  private static volatile @Nullable Thread keeper;

  private DirectMemoryExhaustion() {}

  static void wake(Thread agentThread) {
    keeper = agentThread;
  }

  /** An allocation is about to fail. On the host's thread: nothing waits, nothing is made. */
  static void add() {
    COUNT.incrementAndGet();
    LockSupport.unpark(keeper);
  }

  /** How often that was. */
  static long count() {
    return COUNT.get();
  }
}

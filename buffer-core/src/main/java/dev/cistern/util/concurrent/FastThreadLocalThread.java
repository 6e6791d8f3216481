/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A thread on which {@link FastThreadLocal} is fast, because it keeps the values itself. A thread
 * that was given its task removes them when the task ends.
 */
public class FastThreadLocalThread extends Thread {
  /** Read and written by this thread only; see {@link ThreadSlots}. */
  @Nullable Object[] slots = ThreadSlots.NONE;

  private boolean removesAllAtItsEnd;

  /** For subclasses that override {@link #run}; they have to call {@code removeAll} themselves. */
  public FastThreadLocalThread() {}

  /** A thread that runs {@code target}. */
  public FastThreadLocalThread(Runnable target) {
    this((ThreadGroup) null, target);
  }

  /** A thread of a group that runs {@code target}. */
  public FastThreadLocalThread(@Nullable ThreadGroup group, Runnable target) {
    super(group, thenRemoveAll(target));
    removesAllAtItsEnd = true;
  }

  /** For subclasses that override {@link #run}; they have to call {@code removeAll} themselves. */
  public FastThreadLocalThread(String name) {
    this((ThreadGroup) null, name);
  }

  /** For subclasses that override {@link #run}; they have to call {@code removeAll} themselves. */
  public FastThreadLocalThread(@Nullable ThreadGroup group, String name) {
    super(group, name);
  }

  /** A named thread that runs {@code target}. */
  public FastThreadLocalThread(Runnable target, String name) {
    this(null, target, name);
  }

  /** A named thread of a group that runs {@code target}. */
  public FastThreadLocalThread(@Nullable ThreadGroup group, Runnable target, String name) {
    this(group, target, name, 0);
  }

  /**
   * A named thread of a group that runs {@code target}.
   *
   * @param stackSize bytes of the stack that are wished for; 0 for the default
   */
  public FastThreadLocalThread(
      @Nullable ThreadGroup group, Runnable target, String name, long stackSize) {
    super(group, thenRemoveAll(target), name, stackSize);
    removesAllAtItsEnd = true;
  }

  private static Runnable thenRemoveAll(Runnable target) {
    Objects.requireNonNull(target, "target");
    return () -> {
      try {
        target.run();
      } finally {
        FastThreadLocal.removeAll();
      }
    };
  }

  /** Whether {@link FastThreadLocal#removeAll} is called when this thread ends. */
  public boolean willCleanupFastThreadLocals() {
    return removesAllAtItsEnd;
  }

  /** Whether {@link FastThreadLocal#removeAll} is called when a thread ends. */
  public static boolean willCleanupFastThreadLocals(Thread thread) {
    return thread instanceof FastThreadLocalThread fast && fast.willCleanupFastThreadLocals();
  }

  /**
   * Whether code on this thread may block, for tools that look for code that must not; false unless
   * overridden.
   */
  public boolean permitBlockingCalls() {
    return false;
  }
}

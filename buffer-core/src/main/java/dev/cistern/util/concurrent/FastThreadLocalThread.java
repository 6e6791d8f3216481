/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A thread on which {@link FastThreadLocal} is fast, because the thread object contains the values.
 * A thread that was created with a task removes them at the end of the task.
 */
public class FastThreadLocalThread extends Thread {
  /**
   * The slots of the variables. Only this thread reads and writes them; see {@link ThreadSlots}.
   */
  @Nullable Object[] slots = ThreadSlots.NONE;

  private boolean removesAllAtItsEnd;

  /**
   * Creates a thread for subclasses that override {@link #run}, which must call {@code removeAll}.
   */
  public FastThreadLocalThread() {}

  /** Creates a thread that runs {@code target}. */
  public FastThreadLocalThread(Runnable target) {
    this((ThreadGroup) null, target);
  }

  /** Creates a thread of a group that runs {@code target}. */
  public FastThreadLocalThread(@Nullable ThreadGroup group, Runnable target) {
    super(group, thenRemoveAll(target));
    removesAllAtItsEnd = true;
  }

  /**
   * Creates a thread for subclasses that override {@link #run}, which must call {@code removeAll}.
   */
  public FastThreadLocalThread(String name) {
    this((ThreadGroup) null, name);
  }

  /**
   * Creates a thread for subclasses that override {@link #run}, which must call {@code removeAll}.
   */
  public FastThreadLocalThread(@Nullable ThreadGroup group, String name) {
    super(group, name);
  }

  /** Creates a named thread that runs {@code target}. */
  public FastThreadLocalThread(Runnable target, String name) {
    this(null, target, name);
  }

  /** Creates a named thread of a group that runs {@code target}. */
  public FastThreadLocalThread(@Nullable ThreadGroup group, Runnable target, String name) {
    this(group, target, name, 0);
  }

  /**
   * Creates a named thread of a group that runs {@code target}.
   *
   * @param stackSize requested size of the stack in bytes; 0 for the default
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

  /** Returns whether this thread calls {@link FastThreadLocal#removeAll} at its end. */
  public boolean willCleanupFastThreadLocals() {
    return removesAllAtItsEnd;
  }

  /** Returns whether a thread calls {@link FastThreadLocal#removeAll} at its end. */
  public static boolean willCleanupFastThreadLocals(Thread thread) {
    return thread instanceof FastThreadLocalThread fast && fast.willCleanupFastThreadLocals();
  }

  /**
   * Returns whether code on this thread may block, for tools that detect blocking calls; false by
   * default.
   */
  public boolean permitBlockingCalls() {
    return false;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pool's short waits on threads of the application, which BlockHound must not refuse.
 *
 * <p>BlockHound throws out of {@code park}, {@code yield} and {@code onSpinWait} on threads that
 * must not block. A {@link ReentrantLock} does not survive that: the thread stays in the lock's
 * queue, and those behind it wait for ever. Netty has BlockHound allow the locks of its arenas for
 * the same reason. Here a thread permits itself to wait, in the place where BlockHound keeps that,
 * and only while it waits.
 *
 * <p>BlockHound may be installed at any time, also while the pool is used. So each wait looks for
 * it anew until it is found; a lock that is free costs nothing more (docs/decisions/0035).
 */
public final class BlockHoundPermission {
  private static final String PACKAGE = "reactor.blockhound";

  /** BlockHound adds this class to the boot class loader when it is installed. */
  private static final String RUNTIME = PACKAGE + ".BlockHoundRuntime";

  private static final int SPINS_BEFORE_YIELD = 64;

  /**
   * What {@link #begin} returns where a BlockHound of another shape cannot be given a permission.
   */
  private static final Object UNKNOWN = new Object();

  /** Set once, when BlockHound is found. */
  private static volatile @Nullable BlockHoundPermission installed;

  /**
   * Each thread's state; null for a thread that may block. Null in a BlockHound of another shape.
   */
  private final @Nullable ThreadLocal<?> states;

  /** {@code (Object state) -> boolean} */
  private final @Nullable MethodHandle isAllowed;

  /** {@code (Object state, boolean allowed) -> void} */
  private final @Nullable MethodHandle setAllowed;

  private BlockHoundPermission(
      @Nullable ThreadLocal<?> states,
      @Nullable MethodHandle isAllowed,
      @Nullable MethodHandle setAllowed) {
    this.states = states;
    this.isAllowed = isAllowed;
    this.setAllowed = setAllowed;
  }

  /** Takes {@code lock}, and waits for it if need be. */
  @SuppressWarnings("LockNotBeforeTry") // the caller gets it locked
  public static void lock(ReentrantLock lock) {
    if (lock.tryLock()) {
      return;
    }
    Object permission = begin();
    try {
      if (permission == UNKNOWN) {
        for (int round = 0; !lock.tryLock(); round++) {
          pause(round);
        }
      } else {
        lock.lock();
      }
    } finally {
      end(permission);
    }
  }

  /**
   * Waits for a moment, between {@link #begin} and {@link #end}, in a loop that looks for what
   * another thread is about to do.
   *
   * @param round how often the loop has run; the first rounds keep the processor
   */
  @SuppressWarnings("ThreadPriorityCheck") // the other thread may not run: there may be one core
  public static void pause(int round) {
    try {
      if (round < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    } catch (Error refused) {
      // by a BlockHound that knows no permission: the loop goes on without a pause
    }
  }

  /**
   * Permits the calling thread to wait.
   *
   * @return what {@link #end} gets
   */
  public static @Nullable Object begin() {
    for (; ; ) {
      try {
        BlockHoundPermission found = find();
        return found == null ? null : found.permit();
      } catch (OutOfMemoryError fullHeap) {
        // tried again: a release must get its lock all the same, and some memory comes free
      }
    }
  }

  /**
   * Takes the permission back, if {@link #begin} had to give one.
   *
   * @param permission what that returned
   */
  public static void end(@Nullable Object permission) {
    if (permission == null || permission == UNKNOWN) {
      return;
    }
    try {
      Objects.requireNonNull(Objects.requireNonNull(installed).setAllowed)
          .invokeExact(permission, false);
    } catch (Throwable failed) {
      // The stack ends here, say: BlockHound overlooks this thread. The caller has its lock.
    }
  }

  /** Returns whether BlockHound lets the calling thread block at this point. */
  public static boolean mayBlock() {
    try {
      BlockHoundPermission found = find();
      if (found == null) {
        return true;
      }
      Object permission = found.permit();
      end(permission);
      return permission == null;
    } catch (OutOfMemoryError fullHeap) {
      return false;
    }
  }

  /** The package is looked for first: a class that is missing costs fifty times as much. */
  @SuppressWarnings("deprecation") // only this method searches the boot class loader cheaply
  private static @Nullable BlockHoundPermission find() {
    BlockHoundPermission known = installed;
    if (known != null || Package.getPackage(PACKAGE) == null) {
      return known;
    }
    Class<?> runtime;
    try {
      runtime = Class.forName(RUNTIME, true, null);
    } catch (ClassNotFoundException | LinkageError notInstalled) {
      return null; // its own classes are loaded, and it may follow
    }
    BlockHoundPermission found = of(runtime);
    installed = found;
    return found;
  }

  private static BlockHoundPermission of(Class<?> runtime) {
    try {
      Class<?> state = Class.forName(RUNTIME + "$State", true, null);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      return new BlockHoundPermission(
          (ThreadLocal<?>) runtime.getField("STATE").get(null),
          lookup
              .findVirtual(state, "isAllowed", MethodType.methodType(boolean.class))
              .asType(MethodType.methodType(boolean.class, Object.class)),
          lookup
              .findVirtual(state, "setAllowed", MethodType.methodType(void.class, boolean.class))
              .asType(MethodType.methodType(void.class, Object.class, boolean.class)));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError otherShape) {
      return new BlockHoundPermission(null, null, null);
    }
  }

  /** Null for a thread that may block anyway, otherwise its state, which allows it from now on. */
  private @Nullable Object permit() {
    if (states == null || isAllowed == null || setAllowed == null) {
      return UNKNOWN;
    }
    try {
      Object state = states.get();
      if (state == null || (boolean) isAllowed.invokeExact(state)) {
        return null;
      }
      setAllowed.invokeExact(state, true);
      return state;
    } catch (OutOfMemoryError fullHeap) {
      throw fullHeap;
    } catch (Throwable failed) {
      return UNKNOWN; // one that is just being installed has no rules yet: then nothing queues
    }
  }
}

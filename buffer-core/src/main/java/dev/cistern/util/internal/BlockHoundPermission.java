/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Permission for the pool's short waits on threads of the application, which BlockHound refuses.
 *
 * <p>BlockHound throws out of {@code park}, {@code yield} and {@code onSpinWait} on threads that
 * must not block. A {@link ReentrantLock} does not survive that: the thread stays in the lock's
 * queue, and those behind it wait for ever. Netty has BlockHound allow the locks of its arenas for
 * the same reason. Here a thread sets the flag by which BlockHound allows a call, and only while it
 * waits.
 *
 * <p>BlockHound can be installed at any time, also while the pool is in use. So each wait looks for
 * it until it is found; a lock that is free costs nothing more (docs/internals/decisions/0035).
 */
public final class BlockHoundPermission {
  private static final String PACKAGE = "reactor.blockhound";

  /** BlockHound adds this class to the boot class loader when it is installed. */
  private static final String RUNTIME = PACKAGE + ".BlockHoundRuntime";

  private static final int SPINS_BEFORE_YIELD = 64;

  /** The result of {@link #begin} if the flag of this BlockHound is not known. */
  private static final Object UNKNOWN = new Object();

  /** Set once, when BlockHound is found. */
  private static volatile @Nullable BlockHoundPermission installed;

  /** Each thread's state; null for a thread that may block. */
  private final ThreadLocal<?> states;

  /** {@code (Object state) -> boolean} */
  private final MethodHandle isAllowed;

  /** {@code (Object state, boolean allowed) -> void} */
  private final MethodHandle setAllowed;

  private BlockHoundPermission(Class<?> runtime) throws ReflectiveOperationException {
    Class<?> state = Class.forName(RUNTIME + "$State", true, null);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    states = (ThreadLocal<?>) runtime.getField("STATE").get(null);
    MethodType setter = MethodType.methodType(void.class, boolean.class);
    isAllowed = lookup.findVirtual(state, "isAllowed", MethodType.methodType(boolean.class));
    setAllowed = lookup.findVirtual(state, "setAllowed", setter);
  }

  /** Locks {@code lock}, after a wait if necessary. */
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
   * Pauses for a moment, between {@link #begin} and {@link #end}, in a loop that waits for another
   * thread.
   *
   * @param round how often the loop has run; the first rounds keep the processor
   */
  @SuppressWarnings("ThreadPriorityCheck") // the other thread may have no core
  public static void pause(int round) {
    try {
      if (round < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    } catch (Error refused) {
      // by a BlockHound whose flag is not known: the loop goes on without a pause
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
        return permit();
      } catch (OutOfMemoryError fullHeap) {
        // the loop goes on: a release must get its lock, and some memory becomes free
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
      Objects.requireNonNull(installed).setAllowed.invoke(permission, false);
    } catch (Throwable failed) {
      // The end of the stack, perhaps. BlockHound overlooks this thread; the caller has its lock.
    }
  }

  /** Returns whether BlockHound lets the calling thread block at this point. */
  public static boolean mayBlock() {
    try {
      Object permission = permit();
      end(permission);
      return permission == null;
    } catch (OutOfMemoryError fullHeap) {
      return false;
    }
  }

  /** Returns null for a thread that may block, otherwise its state, which allows it from now on. */
  private static @Nullable Object permit() {
    try {
      BlockHoundPermission found = find();
      Object state = found == null ? null : found.states.get();
      if (found == null || state == null || (boolean) found.isAllowed.invoke(state)) {
        return null;
      }
      found.setAllowed.invoke(state, true);
      return state;
    } catch (OutOfMemoryError fullHeap) {
      throw fullHeap;
    } catch (Throwable failed) {
      // Another flag; or a BlockHound that is just being installed, and has no rules yet.
      return UNKNOWN;
    }
  }

  /** Looks for the package first: a class that is missing costs fifty times as much. */
  @SuppressWarnings("deprecation") // only this method searches the boot class loader cheaply
  private static @Nullable BlockHoundPermission find() throws ReflectiveOperationException {
    BlockHoundPermission known = installed;
    if (known != null || Package.getPackage(PACKAGE) == null) {
      return known;
    }
    Class<?> runtime;
    try {
      runtime = Class.forName(RUNTIME, true, null);
    } catch (ClassNotFoundException | LinkageError notInstalled) {
      return null; // its own classes are loaded, and this one can follow
    }
    BlockHoundPermission found = new BlockHoundPermission(runtime);
    installed = found;
    return found;
  }
}

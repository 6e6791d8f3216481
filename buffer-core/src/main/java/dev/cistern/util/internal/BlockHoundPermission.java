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
 * The permission for short waits of the pool on threads of the application, which BlockHound
 * refuses otherwise.
 *
 * <p>BlockHound throws exceptions from {@code park}, {@code yield} and {@code onSpinWait} on
 * threads that must not block. This breaks a {@link ReentrantLock}: the thread stays in the queue
 * of the lock, and later threads wait forever. Netty configures BlockHound to allow the locks of
 * its arenas for the same reason. In Cistern, a thread sets the flag by which BlockHound allows a
 * call, only while it waits.
 *
 * <p>BlockHound can be installed at any time, also while the pool is in use. So each wait searches
 * for it until it is found. A lock that is free has no additional cost
 * (docs/internals/decisions/0035).
 */
public final class BlockHoundPermission {
  private static final String PACKAGE = "reactor.blockhound";

  /** BlockHound adds this class to the boot class loader when it is installed. */
  private static final String RUNTIME = PACKAGE + ".BlockHoundRuntime";

  private static final int SPINS_BEFORE_YIELD = 64;

  /** The result of {@link #begin} if the flag of this BlockHound is unknown. */
  private static final Object UNKNOWN = new Object();

  /** The permission, or null before BlockHound is found. Set once. */
  private static volatile @Nullable BlockHoundPermission installed;

  /** The state of each thread; null for a thread that may block. */
  private final ThreadLocal<?> states;

  /** The method {@code (Object state) -> boolean} that reads the flag. */
  private final MethodHandle isAllowed;

  /** The method {@code (Object state, boolean allowed) -> void} that sets the flag. */
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
  @SuppressWarnings("LockNotBeforeTry") // the caller unlocks it
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
   * Pauses briefly in a loop that waits for another thread, between {@link #begin} and {@link
   * #end}.
   *
   * @param round the number of previous rounds of the loop; the first rounds keep the processor
   */
  @SuppressWarnings("ThreadPriorityCheck") // the other thread may wait for this core
  public static void pause(int round) {
    try {
      if (round < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    } catch (Error refused) {
      // a BlockHound whose flag is unknown refuses the pause: the loop continues without it
    }
  }

  /**
   * Permits the calling thread to wait.
   *
   * @return the argument for {@link #end}
   */
  public static @Nullable Object begin() {
    for (; ; ) {
      try {
        return permit();
      } catch (OutOfMemoryError fullHeap) {
        // the loop continues: a release needs its lock, and memory becomes free meanwhile
      }
    }
  }

  /**
   * Revokes the permission, if {@link #begin} gave one.
   *
   * @param permission the result of {@link #begin}
   */
  public static void end(@Nullable Object permission) {
    if (permission == null || permission == UNKNOWN) {
      return;
    }
    try {
      Objects.requireNonNull(installed).setAllowed.invoke(permission, false);
    } catch (Throwable failed) {
      // Perhaps a stack overflow. BlockHound then ignores this thread; the caller has its lock.
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

  /** Permits the calling thread to block. Returns its state, or null if it may block anyway. */
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
      // An unknown flag, or a BlockHound whose installation is in progress, without rules.
      return UNKNOWN;
    }
  }

  /**
   * Returns the permission of an installed BlockHound, or null. Searches for the package first,
   * because the search for a missing class costs fifty times as much.
   */
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
      return null; // some of its classes are loaded, but not this one yet
    }
    BlockHoundPermission found = new BlockHoundPermission(runtime);
    installed = found;
    return found;
  }
}

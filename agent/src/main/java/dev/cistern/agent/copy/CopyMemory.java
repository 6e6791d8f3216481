/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.memory.UninitializedMemory;
import java.lang.invoke.MethodHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The native memory that the pools of the copies of Netty have drawn. What a copy has not given
 * back is freed once the loader of its bridge is phantom reachable: no finalizer can use a buffer
 * then, since each buffer reaches that loader by its class (docs/decisions/0036). The agent's
 * thread only, except for the sets that the bridges write to.
 */
final class CopyMemory {
  /** Phantom references need a queue; here their state is read instead. */
  private static final ReferenceQueue<ClassLoader> UNUSED = new ReferenceQueue<>();

  private final List<Watched> copies = new ArrayList<>();

  /** Records are arrays of an address and of what frees it; both are of the JDK. */
  private static final class Watched extends PhantomReference<ClassLoader> {
    final Set<Object[]> records =
        Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    Watched(ClassLoader bridge) {
      super(bridge, UNUSED);
    }
  }

  /** Returns the set in which the bridge of this loader is to record what it draws. */
  Set<Object[]> watch(ClassLoader bridge) {
    Watched watched = new Watched(bridge);
    copies.add(watched);
    return watched.records;
  }

  /** Returns whether no copy is watched. */
  boolean isEmpty() {
    return copies.isEmpty();
  }

  /**
   * Frees the memory of the copies that no code can reach any more.
   *
   * @return null, or what failed first; the rest is freed, and what failed is not tried again
   */
  @Nullable Throwable freeUnreachable() {
    while (UNUSED.poll() != null) {
      // The queue keeps a reference until it is polled.
    }
    Throwable failed = null;
    for (Iterator<Watched> each = copies.iterator(); each.hasNext(); ) {
      Watched copy = each.next();
      if (copy.refersTo(null)) {
        each.remove();
        for (Object[] record : copy.records) { // the bridge that had this set is gone
          try {
            free((Long) record[0], record[1]);
          } catch (Throwable notThisOne) {
            failed = failed == null ? notThisOne : failed;
          }
        }
      }
    }
    return failed;
  }

  private static void free(long address, Object freedBy) throws Throwable {
    if (freedBy instanceof Long accounted) {
      UninitializedMemory.free(address);
      if (accounted > 0) {
        JvmAccount.UNRESERVE.invoke(null, accounted, accounted);
      }
    } else if (freedBy instanceof AutoCloseable arena) {
      arena.close();
    } else if (freedBy instanceof MethodHandle free) {
      Object unused = free.invokeWithArguments(address);
    } else {
      throw new IllegalStateException("cannot free memory: unknown " + freedBy.getClass());
    }
  }

  /** The JVM's account of direct memory; the installer has opened it to the agent. */
  private static final class JvmAccount {
    static final Method UNRESERVE;

    static {
      try {
        UNRESERVE =
            Class.forName("java.nio.Bits")
                .getDeclaredMethod("unreserveMemory", long.class, long.class);
        UNRESERVE.setAccessible(true);
      } catch (ReflectiveOperationException unknownJdk) {
        throw new ExceptionInInitializerError(unknownJdk);
      }
    }
  }
}

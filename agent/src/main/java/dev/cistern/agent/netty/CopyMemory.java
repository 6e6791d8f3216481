/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The native memory that the pools of the copies of Netty have allocated. This class frees the
 * remaining memory of a copy once the loader of its bridge is phantom reachable. No finalizer can
 * use a buffer then, because each buffer refers to that loader by its class
 * (docs/internals/decisions/0036). The agent's thread only, except for the sets, which the bridges
 * write.
 */
final class CopyMemory {
  /** Queue that phantom references require. This class polls their state instead. */
  private static final ReferenceQueue<ClassLoader> UNUSED = new ReferenceQueue<>();

  /** {@code NativeMemory.free} of a separate class loader; null before the first copy. */
  private @Nullable Method free;

  private final List<Watched> copies = new ArrayList<>();

  /** The JVM's count of mapped blocks, which the bridges share. */
  private final AtomicLong mappings = new AtomicLong();

  /**
   * A bridge and its blocks. A record of a block is an array: the name of a {@code MemoryWay}, the
   * two numbers that free the block, the arguments that take it off the JVM's account or null, and
   * the arena of its views or null. All have types of the JDK.
   */
  private static final class Watched extends PhantomReference<ClassLoader> {
    final Set<Object[]> records =
        Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    Watched(ClassLoader bridge) {
      super(bridge, UNUSED);
    }
  }

  /**
   * Loads the code that frees blocks, while it can be loaded.
   *
   * @param opener opens a loader of the pool's classes, renamed like those of a bridge. The JDK
   *     would print a warning for the agent's own classes.
   * @throws ReflectiveOperationException if the classes do not work in this JVM
   */
  void prepare(Supplier<ClassLoader> opener) throws ReflectiveOperationException {
    if (free == null) {
      Class<?> memory = Class.forName("dev.cistern.memory.NativeMemory", true, opener.get());
      memory.getMethod("countIn", AtomicLong.class).invoke(null, mappings);
      free = memory.getMethod("free", String.class, long.class, long.class);
    }
  }

  /** Returns the count of mapped blocks for the bridges. */
  AtomicLong mappings() {
    return mappings;
  }

  /** Returns the set in which the bridge of this loader records its blocks. */
  Set<Object[]> watch(ClassLoader bridge) {
    Watched watched = new Watched(bridge);
    copies.add(watched);
    return watched.records;
  }

  /** Returns whether no block of any copy has to be freed. */
  boolean hasNoBlocks() {
    return copies.stream().allMatch(copy -> copy.records.isEmpty());
  }

  /** Returns whether no copy is watched. */
  boolean isEmpty() {
    return copies.isEmpty();
  }

  /**
   * Frees the memory of the copies that no code can reach any more.
   *
   * @return null, or the first failure. The remaining blocks are freed; a failed one is not tried
   *     again.
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
        for (Object[] record : copy.records) { // the bridge was collected
          try {
            free(record);
          } catch (Throwable failure) {
            failed = failed == null ? failure : failed;
          }
        }
      }
    }
    return failed;
  }

  private void free(Object[] record) throws Exception {
    if (record[4] instanceof AutoCloseable arena) {
      try {
        arena.close();
      } catch (IllegalStateException closedAlready) {
        // no code can reach a view of it any more
      }
    }
    Objects.requireNonNull(free).invoke(null, record[0], record[1], record[2]);
    if (record[3] instanceof Object[] accounted) {
      JvmAccount.UNRESERVE.invoke(null, accounted);
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What the pool asks of threads beyond JDK 17's API. */
final class Threads {
  private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

  private Threads() {}

  private static @Nullable MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException olderThan21) {
      return null;
    }
  }

  static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Spreads thread ids, which are small and close together, over a table. */
  static int hash(Thread thread) {
    long mixed = thread.getId() * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}

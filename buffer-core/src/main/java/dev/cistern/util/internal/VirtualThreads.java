/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Knows virtual threads from others, on JDKs that have them. */
public final class VirtualThreads {
  private static final MethodHandle IS_VIRTUAL = findIsVirtual();

  private VirtualThreads() {}

  private static MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException olderThan21) {
      return MethodHandles.empty(MethodType.methodType(boolean.class, Thread.class)); // false
    }
  }

  /** True for a virtual thread; false on a JDK that has none. */
  public static boolean isVirtual(Thread thread) {
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** A check for virtual threads, which also runs on JDKs without them. */
public final class VirtualThreads {
  private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

  private VirtualThreads() {}

  private static @Nullable MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException olderThan21) {
      return null;
    }
  }

  /** Returns whether a thread is virtual; false on a JDK that has no virtual threads. */
  public static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (RuntimeException | Error failure) { // such as a stack overflow
      throw failure;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that are not zeroed, where the JVM lets us make them (seed row A12): it does with {@code
 * --add-opens java.base/jdk.internal.misc=ALL-UNNAMED}. They hold what was on the heap before.
 */
final class UninitializedArrays {
  /** Shorter ones are zeroed faster than asked for. */
  private static final int LEAST_BYTES = 1024;

  private static final @Nullable MethodHandle ALLOCATE = find();

  private UninitializedArrays() {}

  private static @Nullable MethodHandle find() {
    try {
      Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
      Object instance = unsafe.getMethod("getUnsafe").invoke(null);
      MethodType type = MethodType.methodType(Object.class, Class.class, int.class);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "allocateUninitializedArray", type)
          .bindTo(instance);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError unavailable) {
      return null;
    }
  }

  /** Whether this JVM lets us. */
  static boolean areAvailable() {
    return ALLOCATE != null;
  }

  /** An array whose content means nothing, which may be zeros. */
  static byte[] allocate(int bytes) {
    if (ALLOCATE == null || bytes < LEAST_BYTES) {
      return new byte[bytes];
    }
    try {
      return (byte[]) (Object) ALLOCATE.invokeExact(byte.class, bytes);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("an array could not be made", impossible);
    }
  }
}

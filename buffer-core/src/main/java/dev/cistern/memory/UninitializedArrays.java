/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that are not filled with zeros, if the JVM permits that: it does with {@code --add-opens
 * java.base/jdk.internal.misc=ALL-UNNAMED}. They contain what was on the Java heap before.
 */
final class UninitializedArrays {
  /** The JVM zeros shorter arrays faster than it calls the method. */
  private static final int MIN_BYTES = 1024;

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

  /** Returns whether arrays are not filled with zeros. */
  static boolean areAvailable() {
    return ALLOCATE != null;
  }

  /** Returns an array whose content is undefined, or zeros. */
  static byte[] allocate(int bytes) {
    if (ALLOCATE == null || bytes < MIN_BYTES) {
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

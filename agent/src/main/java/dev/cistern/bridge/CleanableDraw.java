/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * As Netty 4.2 draws it: a holder that frees itself, by one of several cleaners; found by name,
 * because 4.1 has none of it.
 */
final class CleanableDraw implements NativeDraw {
  private final Method allocate;

  /** Whether it is to be told that this may be memory which takes long to free, as chunks are. */
  private final boolean isTold;

  private CleanableDraw(Method allocate) {
    this.allocate = allocate;
    this.isTold = allocate.getParameterCount() > 1;
  }

  /** Null on Netty 4.1. */
  static @Nullable CleanableDraw find() {
    Method found = method(int.class, boolean.class);
    if (found == null) {
      found = method(int.class);
    }
    return found == null || found.getReturnType() == ByteBuffer.class
        ? null
        : new CleanableDraw(found);
  }

  private static @Nullable Method method(Class<?>... parameters) {
    try {
      return PlatformDependent.class.getMethod("allocateDirect", parameters);
    } catch (NoSuchMethodException other) {
      return null;
    }
  }

  /** On JDK 25, Netty leaves to the collector whatever may not take long to free. */
  @Override
  public Object draw(int bytes) {
    return isTold
        ? HostMethods.invoke(allocate, null, bytes, true)
        : HostMethods.invoke(allocate, null, bytes);
  }

  @Override
  public ByteBuffer view(Object drawn) {
    return (ByteBuffer) HostMethods.invoke(method(drawn, "buffer"), drawn);
  }

  @Override
  public void giveBack(Object drawn) {
    Object unused = HostMethods.invoke(method(drawn, "clean"), drawn);
  }

  /** Decides by the class of the holder: each of Netty's cleaners has its own class. */
  @Override
  public @Nullable Object freedBy(Object drawn) {
    Class<?> type = drawn.getClass();
    try {
      return switch (cleanerOf(type)) {
        case "DirectCleaner" -> 0L;
        case "CleanerJava25" -> ofJdk(value(type, AutoCloseable.class, drawn));
        case "CleanerJava24Linker" -> ofJdk(freeFunction(type));
        default -> null; // a direct buffer of the JDK's
      };
    } catch (ReflectiveOperationException | RuntimeException otherVersion) {
      return null; // it stays when the copy goes
    }
  }

  private static String cleanerOf(Class<?> holder) {
    String name = holder.getName();
    String simple = name.substring(name.lastIndexOf('.') + 1);
    int nested = simple.indexOf('$');
    return nested < 0 ? simple : simple.substring(0, nested);
  }

  /** Returns null for an object of another loader, which would keep the host's classes. */
  private static @Nullable Object ofJdk(@Nullable Object freedBy) {
    return freedBy != null && freedBy.getClass().getClassLoader() == null ? freedBy : null;
  }

  private static @Nullable Object freeFunction(Class<?> holder)
      throws ReflectiveOperationException {
    String cleaner = holder.getName().substring(0, holder.getName().indexOf('$'));
    ClassLoader loader = holder.getClassLoader();
    Class<?> type = Class.forName(cleaner, true, loader);
    for (Class<?> nested : type.getDeclaredClasses()) {
      if (nested.getSimpleName().equals("Holder")) { // 4.2.20 and newer
        type = nested;
      }
    }
    Field free = type.getDeclaredField("INVOKE_FREE");
    free.setAccessible(true);
    return free.get(null);
  }

  private static @Nullable Object value(Class<?> holder, Class<?> ofType, Object drawn)
      throws IllegalAccessException {
    for (Field field : holder.getDeclaredFields()) {
      if (field.getType() == ofType) {
        field.setAccessible(true);
        return field.get(drawn);
      }
    }
    return null;
  }

  /** Whether Netty's own direct buffers have a memory address, although there is no Unsafe. */
  boolean tellsAddress() {
    Object drawn = draw(1);
    try {
      return Boolean.TRUE.equals(HostMethods.invoke(method(drawn, "hasMemoryAddress"), drawn));
    } catch (IllegalStateException early42) {
      return false;
    } finally {
      giveBack(drawn);
    }
  }

  /** The interface's method: the class behind it is not ours to reach into. */
  private static Method method(Object holder, String name) {
    Class<?> type = holder.getClass();
    for (Class<?> face : type.getInterfaces()) {
      if (face.getName().endsWith(".CleanableDirectBuffer")) {
        try {
          return face.getMethod(name);
        } catch (NoSuchMethodException missing) {
          throw new IllegalStateException("CleanableDirectBuffer has no " + name + "()", missing);
        }
      }
    }
    throw new IllegalStateException(type.getName() + " is no CleanableDirectBuffer");
  }
}

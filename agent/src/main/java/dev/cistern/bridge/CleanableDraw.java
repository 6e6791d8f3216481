/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * As Netty 4.2 draws it: a holder that frees itself, by one of several cleaners; found by name,
 * because 4.1 has none of it.
 */
final class CleanableDraw implements NativeDraw {
  private final Method allocate;

  private CleanableDraw(Method allocate) {
    this.allocate = allocate;
  }

  /** Null on Netty 4.1. */
  static @Nullable CleanableDraw find() {
    try {
      Method found = PlatformDependent.class.getMethod("allocateDirect", int.class);
      return found.getReturnType() == ByteBuffer.class ? null : new CleanableDraw(found);
    } catch (NoSuchMethodException netty41) {
      return null;
    }
  }

  @Override
  public Object draw(int bytes) {
    return HostMethods.invoke(allocate, null, bytes);
  }

  @Override
  public ByteBuffer view(Object drawn) {
    return (ByteBuffer) HostMethods.invoke(method(drawn, "buffer"), drawn);
  }

  @Override
  public void giveBack(Object drawn) {
    Object unused = HostMethods.invoke(method(drawn, "clean"), drawn);
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

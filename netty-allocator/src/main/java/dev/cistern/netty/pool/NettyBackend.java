/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.NioMemory;
import dev.cistern.memory.Region;
import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The backend whose memory Netty itself allocates and frees. Used if Netty's accounts are not
 * accessible or not known. Netty 4.2 returns an object that frees its memory; its methods are found
 * by name, because 4.1 does not have them.
 */
final class NettyBackend implements MemoryBackend {
  /** Netty's method that allocates; null on Netty 4.1. */
  private final @Nullable Method allocate = find();

  /** Whether the method has a parameter that permits memory whose release takes long. */
  private final boolean canPermitSlowFree = allocate != null && allocate.getParameterCount() > 1;

  private final boolean noCleaner =
      allocate == null && PlatformDependent.useDirectBufferNoCleaner();

  private static @Nullable Method find() {
    Method found = method(int.class, boolean.class);
    if (found == null) {
      found = method(int.class);
    }
    return found == null || found.getReturnType() == ByteBuffer.class ? null : found;
  }

  private static @Nullable Method method(Class<?>... parameters) {
    try {
      return PlatformDependent.class.getMethod("allocateDirect", parameters);
    } catch (NoSuchMethodException other) {
      return null;
    }
  }

  /** Returns whether this is Netty 4.2, whose buffers may have an address without Unsafe. */
  static boolean isCleanable() {
    return find() != null;
  }

  /**
   * Returns false only without a cleaner. Netty 4.2 uses this backend with buffers of the JDK, or
   * if it frees memory in an unknown way.
   */
  @Override
  public boolean isInJvmAccount() {
    return !noCleaner;
  }

  @Override
  public Region allocate(int bytes) {
    Object handle = handle(bytes);
    try {
      ByteBuffer view = view(handle).slice(0, bytes);
      long address = NioMemory.start(view);
      if (noCleaner) { // this memory may contain bytes of other code
        MemoryAccess.clear(null, address, bytes);
      }
      return new Region(null, address, view, bytes, handle);
    } catch (RuntimeException | Error failed) {
      free(handle);
      throw failed;
    }
  }

  /** Passes true, because Netty on JDK 25 otherwise leaves freeing to the garbage collector. */
  private Object handle(int bytes) {
    if (allocate != null) {
      return canPermitSlowFree
          ? ReflectiveCalls.invoke(allocate, null, bytes, true)
          : ReflectiveCalls.invoke(allocate, null, bytes);
    }
    return noCleaner
        ? PlatformDependent.allocateDirectNoCleaner(bytes)
        : ByteBuffer.allocateDirect(bytes);
  }

  private ByteBuffer view(Object handle) {
    return handle instanceof ByteBuffer buffer
        ? buffer
        : (ByteBuffer) ReflectiveCalls.invoke(method(handle, "buffer"), handle);
  }

  @Override
  public void free(Region region) {
    free(Objects.requireNonNull(region.handle()));
  }

  private void free(Object handle) {
    if (!(handle instanceof ByteBuffer buffer)) {
      Object unused = ReflectiveCalls.invoke(method(handle, "clean"), handle);
    } else if (noCleaner) {
      PlatformDependent.freeDirectNoCleaner(buffer);
    } else {
      PlatformDependent.freeDirectBuffer(buffer);
    }
  }

  /**
   * Returns whether Netty's own direct buffers have a memory address, although it has no Unsafe.
   */
  boolean hasAddress() {
    Object handle = handle(1);
    try {
      return Boolean.TRUE.equals(
          ReflectiveCalls.invoke(method(handle, "hasMemoryAddress"), handle));
    } catch (IllegalStateException early42) {
      return false;
    } finally {
      free(handle);
    }
  }

  /** Returns the method of the interface, because the implementing class may not be accessible. */
  private static Method method(Object handle, String name) {
    Class<?> type = handle.getClass();
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

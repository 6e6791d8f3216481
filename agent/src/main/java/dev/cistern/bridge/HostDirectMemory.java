/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.memory.RestingMemory;
import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Native memory drawn through the host's own {@code PlatformDependent}, so that Netty's counter and
 * limit of direct memory hold for its memory and ours together.
 *
 * <p>Netty 4.2 hands out a holder that frees itself, found by name because 4.1 does not have it;
 * 4.1 has a way without a cleaner, and where that is off, plain direct buffers, which count only
 * against the JVM's limit, as Netty's own chunks do there.
 *
 * <p>What is given up rests before it is freed, and counts until then. Netty cannot ask for it back
 * when it is refused memory itself, so it rests only while a quarter of the limit is free.
 */
class HostDirectMemory implements MemorySource {
  static final HostDirectMemory INSTANCE = new HostDirectMemory();

  private static final int LEAST_FREE_SHIFT = 2;

  private final AtomicLong usedBytes = new AtomicLong();

  /** No buffer is reachable any more: nothing needs to rest. */
  private volatile boolean isUnreachable;

  private final RestingMemory resting = RestingMemory.shared();
  private final RestingMemory.Unmapper unmapper = this::unmap;
  private final @Nullable Method allocateCleanable = findAllocateCleanable();
  private final boolean noCleaner =
      allocateCleanable == null && PlatformDependent.useDirectBufferNoCleaner();

  private static @Nullable Method findAllocateCleanable() {
    try {
      Method found = PlatformDependent.class.getMethod("allocateDirect", int.class);
      return found.getReturnType() == ByteBuffer.class ? null : found;
    } catch (NoSuchMethodException netty41) {
      return null;
    }
  }

  /** Whether Netty's own direct buffers have a memory address in this JVM. */
  boolean tellsAddress() {
    if (PlatformDependent.hasUnsafe()) {
      return true;
    }
    Method allocate = allocateCleanable;
    if (allocate == null) {
      return false;
    }
    Object holder = invoke(allocate, null, 1);
    try {
      return Boolean.TRUE.equals(invoke(method(holder, "hasMemoryAddress"), holder));
    } catch (IllegalStateException early42) {
      return false;
    } finally {
      invoke(method(holder, "clean"), holder);
    }
  }

  @Override
  public Region allocate(int bytes) {
    Object handle = resting.request(() -> handle(bytes));
    usedBytes.addAndGet(bytes);
    try {
      ByteBuffer buffer =
          handle instanceof ByteBuffer plain
              ? plain
              : (ByteBuffer) invoke(method(handle, "buffer"), handle);
      ByteBuffer view = buffer.slice(0, bytes);
      return new Region(null, MemoryAccess.address(view), view, bytes, handle);
    } catch (RuntimeException | Error failed) {
      giveBack(bytes, handle, failed);
      throw failed;
    }
  }

  private void giveBack(int bytes, Object handle, Throwable failed) {
    try {
      unmap(0, bytes, handle);
    } catch (RuntimeException | Error lost) {
      failed.addSuppressed(lost);
    }
  }

  /** Draws memory from the host: what frees it, or is it. */
  Object handle(int bytes) {
    Method allocate = allocateCleanable;
    if (allocate != null) {
      return invoke(allocate, null, bytes);
    }
    return noCleaner
        ? PlatformDependent.allocateDirectNoCleaner(bytes)
        : ByteBuffer.allocateDirect(bytes);
  }

  @Override
  public void free(Region region) {
    long limit = limitBytes();
    if (isUnreachable || limit - usedBytes() < limit >> LEAST_FREE_SHIFT) {
      unmap(region.address(), region.bytes(), region.handle());
    } else {
      resting.rest(region.address(), region.bytes(), region.handle(), unmapper);
    }
  }

  /** Frees what rests now, and whatever is given up from now on, at once. */
  void becomeUnreachable() {
    isUnreachable = true;
    resting.freeAll();
  }

  private void unmap(long address, long bytes, @Nullable Object handle) {
    if (handle instanceof ByteBuffer plain) {
      if (noCleaner) {
        PlatformDependent.freeDirectNoCleaner(plain);
      } else {
        PlatformDependent.freeDirectBuffer(plain);
      }
    } else if (handle != null) {
      invoke(method(handle, "clean"), handle);
    }
    usedBytes.addAndGet(-bytes);
  }

  /** As Netty counts, its own chunks included; only ours where Netty does not count. */
  @Override
  public long usedBytes() {
    long counted = PlatformDependent.usedDirectMemory();
    return counted >= 0 ? counted : usedBytes.get();
  }

  @Override
  public long limitBytes() {
    return PlatformDependent.maxDirectMemory();
  }

  private static Method method(Object holder, String name) {
    try {
      // the interface's method: the class behind it is not ours to reach into
      Class<?> type = holder.getClass();
      for (Class<?> face : type.getInterfaces()) {
        if (face.getName().endsWith(".CleanableDirectBuffer")) {
          return face.getMethod(name);
        }
      }
      throw new IllegalStateException(type.getName() + " is no CleanableDirectBuffer");
    } catch (NoSuchMethodException missing) {
      throw new IllegalStateException("CleanableDirectBuffer has no " + name + "()", missing);
    }
  }

  private static Object invoke(Method method, @Nullable Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof Error error) {
        throw error; // OutOfDirectMemoryError above all
      }
      throw new IllegalStateException(method + " failed", cause);
    } catch (IllegalAccessException closed) {
      throw new IllegalStateException(method + " is not accessible", closed);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.internal.Settings;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A source of regions on the Java heap. The size of the heap is the limit. */
public final class HeapMemorySource implements MemorySource {
  /**
   * The minimum length of an array without zeros. The JVM fills a shorter array with zeros faster
   * than it calls the method.
   */
  private static final int MIN_UNINITIALIZED_BYTES = 1024;

  /**
   * The method that allocates arrays without zeros. This class is loaded on first use, because
   * linking a method handle would delay the start of the host JVM.
   */
  static final class Uninitialized {
    /**
     * The handle of the method that allocates an array without zeros; null if the JVM does not
     * permit that.
     */
    static final @Nullable MethodHandle ALLOCATE = findAllocate();

    private Uninitialized() {}
  }

  private final AtomicLong usedBytes = new AtomicLong();

  private final boolean uninitialized;

  /**
   * Creates a source of arrays with zeros, or without zeros if {@code
   * -Dcistern.memory.uninitializedArrays=true}.
   */
  public HeapMemorySource() {
    this(Settings.flag("memory.uninitializedArrays", false));
  }

  /**
   * @param uninitialized whether arrays may contain old data of the Java heap, which saves the time
   *     to fill them with zeros. The JVM must permit that: {@code --add-opens
   *     java.base/jdk.internal.misc=ALL-UNNAMED}, or the agent
   */
  public HeapMemorySource(boolean uninitialized) {
    this.uninitialized = uninitialized;
  }

  @Override
  public Region allocate(int bytes) {
    Region region;
    try {
      region = Region.of(uninitialized ? newUninitialized(bytes) : new byte[bytes]);
    } catch (OutOfMemoryError refused) {
      throw refusal(bytes, refused);
    }
    usedBytes.addAndGet(bytes);
    return region;
  }

  private static @Nullable MethodHandle findAllocate() {
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

  /** Returns an array whose content is undefined. */
  static byte[] newUninitialized(int bytes) {
    MethodHandle allocate = Uninitialized.ALLOCATE;
    if (allocate == null || bytes < MIN_UNINITIALIZED_BYTES) {
      return new byte[bytes];
    }
    try {
      return (byte[]) (Object) allocate.invokeExact(byte.class, bytes);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot allocate an array", impossible);
    }
  }

  /**
   * Returns an error with more details than that of the JVM, or that of the JVM if there is no
   * memory.
   */
  private OutOfMemoryError refusal(int bytes, OutOfMemoryError refused) {
    try {
      OutOfMemoryError error =
          new OutOfMemoryError(
              "the Java heap refused "
                  + bytes
                  + " byte(s) (used: "
                  + usedBytes.get()
                  + " by pools, limit: "
                  + Runtime.getRuntime().maxMemory()
                  + " by -Xmx): "
                  + refused.getMessage());
      error.initCause(refused);
      return error;
    } catch (OutOfMemoryError again) {
      return refused;
    }
  }

  @Override
  public void free(Region region) {
    usedBytes.addAndGet(-region.bytes());
  }

  @Override
  public long usedBytes() {
    return usedBytes.get();
  }

  @Override
  public long limitBytes() {
    return Long.MAX_VALUE;
  }
}

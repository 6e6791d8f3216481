/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.UninitializedMemory;
import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where Netty's own chunks are direct buffers of the JDK, which fills them with zeros and so has
 * every page of them resident at once: the same memory without the zeros (docs/decisions/0021). It
 * counts as those do, in the JVM's own account and limit ({@code -XX:MaxDirectMemorySize}) and,
 * where Netty counts them, in Netty's.
 */
final class UntouchedDraw implements NativeDraw {
  private final Account jvm;

  /** Netty's own counter, which knows its limit; null where it does not count. */
  private final @Nullable Account netty;

  private UntouchedDraw(Account jvm, @Nullable Account netty) {
    this.jvm = jvm;
    this.netty = netty;
  }

  /**
   * The way, or null where Netty draws its memory otherwise, or this JVM does not let us.
   *
   * @param cleanable how Netty 4.2 draws memory; null for 4.1
   */
  static @Nullable NativeDraw find(@Nullable CleanableDraw cleanable) {
    try {
      if (!UninitializedMemory.isAvailable() || isAligned()) {
        return null;
      }
      if (cleanable != null) {
        return cleaner().equals("CleanerJava9") ? new UntouchedDraw(jvm(), netty()) : null;
      }
      boolean freesDirectBuffers =
          PlatformDependent.hasUnsafe() && !PlatformDependent.useDirectBufferNoCleaner();
      return freesDirectBuffers ? new UntouchedDraw(jvm(), null) : null;
    } catch (ReflectiveOperationException | RuntimeException closed) {
      return null; // then as Netty does it
    }
  }

  /** Whether direct buffers begin with a page ({@code -Dsun.nio.PageAlignDirectMemory=true}). */
  private static boolean isAligned() throws ReflectiveOperationException {
    Class<?> machine = Class.forName("jdk.internal.misc.VM");
    return (Boolean) HostMethods.invoke(machine.getMethod("isDirectMemoryPageAligned"), null);
  }

  private static String cleaner() throws ReflectiveOperationException {
    Field cleaner = PlatformDependent.class.getDeclaredField("CLEANER");
    cleaner.setAccessible(true);
    return cleaner.get(null).getClass().getSimpleName();
  }

  private static Account jvm() throws ReflectiveOperationException {
    Class<?> bits = Class.forName("java.nio.Bits");
    return new Account(
        opened(bits, "reserveMemory", long.class, long.class),
        opened(bits, "unreserveMemory", long.class, long.class));
  }

  private static Account netty() throws ReflectiveOperationException {
    Class<?> platform = PlatformDependent.class;
    return new Account(
        opened(platform, "incrementMemoryCounter", int.class),
        opened(platform, "decrementMemoryCounter", int.class));
  }

  private static Method opened(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method found = type.getDeclaredMethod(name, parameters);
    found.setAccessible(true);
    return found;
  }

  @Override
  public Object draw(int bytes) {
    Drawn drawn = new Drawn(bytes);
    if (netty != null) {
      netty.add(drawn.nettyBytes);
    }
    try {
      fill(drawn);
      return drawn;
    } catch (Throwable refused) {
      if (netty != null) {
        netty.subtract(drawn.nettyBytes);
      }
      throw refused;
    }
  }

  private void fill(Drawn drawn) {
    jvm.add(drawn.jvmBytes);
    try {
      drawn.view = UninitializedMemory.allocate(drawn.bytes);
    } catch (Throwable refused) {
      jvm.subtract(drawn.jvmBytes);
      throw refused;
    }
  }

  @Override
  public ByteBuffer view(Object drawn) {
    return ((Drawn) drawn).view();
  }

  @Override
  public Object freedBy(Object drawn) {
    return (long) ((Drawn) drawn).bytes;
  }

  /** Whatever fails, each account gets its bytes back. */
  @Override
  public void giveBack(Object drawn) {
    Drawn whole = (Drawn) drawn;
    try {
      UninitializedMemory.free(whole.view());
    } finally {
      try {
        jvm.subtract(whole.jvmBytes);
      } finally {
        if (netty != null) {
          netty.subtract(whole.nettyBytes);
        }
      }
    }
  }

  /** What was drawn, with all that giving it back needs: then the Java heap may be full. */
  private static final class Drawn {
    private final int bytes;
    private final Object[] jvmBytes;
    private final Object[] nettyBytes;
    private @Nullable ByteBuffer view;

    Drawn(int bytes) {
      this.bytes = bytes;
      this.jvmBytes = new Object[] {(long) bytes, (long) bytes};
      this.nettyBytes = new Object[] {bytes};
    }

    ByteBuffer view() {
      return Objects.requireNonNull(view);
    }
  }

  /** Where memory is counted, and refused where it is too much. */
  private record Account(Method reserve, Method release) {
    void add(Object[] bytes) {
      Object unused = HostMethods.invoke(reserve, null, bytes);
    }

    void subtract(Object[] bytes) {
      Object unused = HostMethods.invoke(release, null, bytes);
    }
  }
}

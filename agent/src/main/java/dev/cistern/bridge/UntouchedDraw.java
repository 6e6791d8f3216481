/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.UninitializedMemory;
import io.netty.util.internal.PlatformDependent;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where Netty's own chunks are filled with zeros, and so have every page of them resident at once:
 * the same memory without the zeros (docs/decisions/0021). It counts where those count: in the
 * JVM's own account and limit ({@code -XX:MaxDirectMemorySize}), in Netty's, or in both.
 */
final class UntouchedDraw implements NativeDraw {
  private static final Account NONE = new Account(null, null, bytes -> new Object[0]);

  private final Account jvm;

  /** Netty's own counter, which knows its limit. */
  private final Account netty;

  private UntouchedDraw(Account jvm, Account netty) {
    this.jvm = jvm;
    this.netty = netty;
  }

  /**
   * The way, or null where Netty's memory is not zeroed, or this JVM does not let us.
   *
   * @param cleanable how Netty 4.2 draws memory; null for 4.1
   */
  static @Nullable NativeDraw find(@Nullable CleanableDraw cleanable) {
    if (!UninitializedMemory.isAvailable()) {
      return null;
    }
    try {
      if (cleanable == null) {
        return PlatformDependent.useDirectBufferNoCleaner()
            ? null
            : new UntouchedDraw(jvm(), NONE); // direct buffers of the JDK
      }
      return switch (cleaner()) {
        case "CleanerJava9" -> new UntouchedDraw(jvm(), netty()); // the same
        case "CleanerJava25" -> new UntouchedDraw(NONE, netty()); // arenas of java.lang.foreign
        default -> null; // memory of malloc
      };
    } catch (ReflectiveOperationException | RuntimeException closed) {
      return null; // then as Netty does it
    }
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
        opened(bits, "unreserveMemory", long.class, long.class),
        bytes -> new Object[] {(long) bytes, (long) bytes});
  }

  private static Account netty() throws ReflectiveOperationException {
    Class<?> platform = PlatformDependent.class;
    return new Account(
        opened(platform, "incrementMemoryCounter", int.class),
        opened(platform, "decrementMemoryCounter", int.class),
        bytes -> new Object[] {bytes});
  }

  private static Method opened(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Method found = type.getDeclaredMethod(name, parameters);
    found.setAccessible(true);
    return found;
  }

  @Override
  public Object draw(int bytes) {
    netty.add(bytes);
    try {
      jvm.add(bytes);
      try {
        return UninitializedMemory.allocate(bytes);
      } catch (RuntimeException | Error refused) {
        jvm.subtract(bytes);
        throw refused;
      }
    } catch (RuntimeException | Error refused) {
      netty.subtract(bytes);
      throw refused;
    }
  }

  @Override
  public ByteBuffer view(Object drawn) {
    return (ByteBuffer) drawn;
  }

  @Override
  public void giveBack(Object drawn) {
    ByteBuffer view = (ByteBuffer) drawn;
    UninitializedMemory.free(view);
    jvm.subtract(view.capacity());
    netty.subtract(view.capacity());
  }

  /** Where memory is counted, and refused where it is too much. */
  private static final class Account {
    private final @Nullable Method add;
    private final @Nullable Method subtract;
    private final IntFunction<Object[]> arguments;

    Account(@Nullable Method add, @Nullable Method subtract, IntFunction<Object[]> arguments) {
      this.add = add;
      this.subtract = subtract;
      this.arguments = arguments;
    }

    void add(int bytes) {
      call(add, bytes);
    }

    void subtract(int bytes) {
      call(subtract, bytes);
    }

    private void call(@Nullable Method method, int bytes) {
      if (method != null) {
        Object unused = HostMethods.invoke(method, null, arguments.apply(bytes));
      }
    }
  }
}

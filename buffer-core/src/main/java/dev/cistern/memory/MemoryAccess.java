/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * Raw access to memory by base and address, in the machine's byte order, without checks.
 *
 * <p>The same code serves heap and native memory: with a null base the address is absolute, with an
 * array as base it is an offset inside that object. Callers must check bounds and liveness first.
 */
public final class MemoryAccess {
  private static final Unsafe UNSAFE = findUnsafe();

  /** The number of bytes from which the JVM's own code is faster, despite the cost of a call. */
  private static final int MIN_CALL_BYTES = 256;

  /**
   * The number of bytes up to which words that fit into registers together are faster than a call.
   */
  private static final int MAX_WORDS_BYTES = 8 * Long.BYTES;

  /** The address of element 0 of a byte array, relative to the array object. */
  public static final long BYTE_ARRAY_OFFSET = byteArrayOffset();

  /** The size of a page of the operating system in bytes. */
  public static final long PAGE_BYTES = UNSAFE.pageSize();

  /** The size of an address in bytes. */
  static final int ADDRESS_BYTES = UNSAFE.addressSize();

  private static final @Nullable MethodHandle GET_REFERENCE = findGetReference();

  private MemoryAccess() {}

  private static Unsafe findUnsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException | RuntimeException unavailable) {
      throw new IllegalStateException("this JVM permits no raw memory access", unavailable);
    }
  }

  /**
   * Returns the offset of element 0 in a byte array. Uses reflection, because the agent replaces
   * this Unsafe by {@code jdk.internal.misc.Unsafe}, whose method returns an int up to JDK 24 and a
   * long from JDK 25 on.
   */
  private static long byteArrayOffset() {
    try {
      Object offset =
          Unsafe.class.getMethod("arrayBaseOffset", Class.class).invoke(UNSAFE, byte[].class);
      return ((Number) offset).longValue();
    } catch (ReflectiveOperationException unavailable) {
      throw new IllegalStateException("this JVM permits no raw memory access", unavailable);
    }
  }

  /**
   * Returns a handle of the method that reads a reference, or null. The method has another name in
   * {@code jdk.internal.misc.Unsafe}.
   */
  private static @Nullable MethodHandle findGetReference() {
    MethodType type = MethodType.methodType(Object.class, Object.class, long.class);
    for (String name : new String[] {"getReference", "getObject"}) {
      try {
        return MethodHandles.lookup().findVirtual(UNSAFE.getClass(), name, type).bindTo(UNSAFE);
      } catch (ReflectiveOperationException | RuntimeException unavailable) {
        // try the next one, if any
      }
    }
    return null;
  }

  /**
   * Returns the value of a reference field; null if the field is null, or if this JVM does not
   * permit the access.
   */
  static @Nullable Object getReference(Object object, long fieldOffset) {
    if (GET_REFERENCE == null) {
      return null;
    }
    try {
      return (Object) GET_REFERENCE.invokeExact(object, fieldOffset);
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot read a field", impossible);
    }
  }

  /** Reads a byte. */
  public static byte getByte(@Nullable Object base, long address) {
    return base == null ? UNSAFE.getByte(null, address) : UNSAFE.getByte(base, address);
  }

  /** Reads two bytes. */
  public static short getShort(@Nullable Object base, long address) {
    return base == null ? UNSAFE.getShort(null, address) : UNSAFE.getShort(base, address);
  }

  /** Reads four bytes. */
  public static int getInt(@Nullable Object base, long address) {
    return base == null ? UNSAFE.getInt(null, address) : UNSAFE.getInt(base, address);
  }

  /** Reads eight bytes. */
  public static long getLong(@Nullable Object base, long address) {
    return base == null ? UNSAFE.getLong(null, address) : UNSAFE.getLong(base, address);
  }

  /** Writes a byte. */
  public static void putByte(@Nullable Object base, long address, byte value) {
    if (base == null) {
      UNSAFE.putByte(null, address, value);
    } else {
      UNSAFE.putByte(base, address, value);
    }
  }

  /** Writes two bytes. */
  public static void putShort(@Nullable Object base, long address, short value) {
    if (base == null) {
      UNSAFE.putShort(null, address, value);
    } else {
      UNSAFE.putShort(base, address, value);
    }
  }

  /** Writes four bytes. */
  public static void putInt(@Nullable Object base, long address, int value) {
    if (base == null) {
      UNSAFE.putInt(null, address, value);
    } else {
      UNSAFE.putInt(base, address, value);
    }
  }

  /** Writes eight bytes. */
  public static void putLong(@Nullable Object base, long address, long value) {
    if (base == null) {
      UNSAFE.putLong(null, address, value);
    } else {
      UNSAFE.putLong(base, address, value);
    }
  }

  /**
   * Copies bytes, even between overlapping ranges. There is one case for each pair of kinds, so
   * that compiled code does not check again whether a base is null.
   */
  public static void copy(
      byte @Nullable [] source,
      long sourceAddress,
      byte @Nullable [] target,
      long targetAddress,
      int bytes) {
    if (source == null) {
      if (target == null) {
        copyKnown(null, sourceAddress, null, targetAddress, bytes);
      } else {
        copyKnown(null, sourceAddress, target, targetAddress, bytes);
      }
    } else if (target == null) {
      copyKnown(source, sourceAddress, null, targetAddress, bytes);
    } else {
      System.arraycopy(source, index(sourceAddress), target, index(targetAddress), bytes);
    }
  }

  private static void copyKnown(
      byte @Nullable [] source, long from, byte @Nullable [] target, long to, int bytes) {
    if (bytes >= Long.BYTES && bytes <= MAX_WORDS_BYTES) {
      copyWords(source, from, target, to, bytes - Long.BYTES);
    } else {
      UNSAFE.copyMemory(source, from, target, to, bytes);
    }
  }

  /**
   * Copies 2, 4 or 8 words: the first starts at the start of the range, the second ends at its end,
   * and so on, so words may overlap. Reads all words before it writes any, because the ranges may
   * also overlap.
   */
  private static void copyWords(
      byte @Nullable [] source, long from, byte @Nullable [] target, long to, int last) {
    long first = getLong(source, from);
    long second = getLong(source, from + last);
    if (last > 8) {
      long third = getLong(source, from + 8);
      long fourth = getLong(source, from + last - 8);
      if (last > 24) {
        long fifth = getLong(source, from + 16);
        long sixth = getLong(source, from + last - 16);
        long seventh = getLong(source, from + 24);
        long eighth = getLong(source, from + last - 24);
        putLong(target, to + 16, fifth);
        putLong(target, to + last - 16, sixth);
        putLong(target, to + 24, seventh);
        putLong(target, to + last - 24, eighth);
      }
      putLong(target, to + 8, third);
      putLong(target, to + last - 8, fourth);
    }
    putLong(target, to, first);
    putLong(target, to + last, second);
  }

  private static int index(long address) {
    return (int) (address - BYTE_ARRAY_OFFSET);
  }

  /** Sets every byte of a range to 0. */
  public static void clear(byte @Nullable [] base, long address, int bytes) {
    if (bytes > MIN_CALL_BYTES) {
      clearMany(base, address, bytes);
      return;
    }
    if (bytes >= Long.BYTES && bytes <= MAX_WORDS_BYTES) {
      clearWords(base, address, bytes - Long.BYTES);
      return;
    }
    int i = 0;
    for (; i <= bytes - Long.BYTES; i += Long.BYTES) {
      putLong(base, address + i, 0);
    }
    for (; i < bytes; i++) {
      putByte(base, address + i, (byte) 0);
    }
  }

  /** Clears 2, 4 or 8 words, in the positions of {@link #copyWords}. */
  private static void clearWords(byte @Nullable [] base, long address, int last) {
    putLong(base, address, 0);
    putLong(base, address + last, 0);
    if (last > 8) {
      putLong(base, address + 8, 0);
      putLong(base, address + last - 8, 0);
      if (last > 24) {
        putLong(base, address + 16, 0);
        putLong(base, address + last - 16, 0);
        putLong(base, address + 24, 0);
        putLong(base, address + last - 24, 0);
      }
    }
  }

  /** Sets every byte of a range. */
  public static void fill(@Nullable Object base, long address, long bytes, byte value) {
    UNSAFE.setMemory(base, address, bytes, value);
  }

  private static void clearMany(byte @Nullable [] base, long address, int bytes) {
    if (base == null) {
      UNSAFE.setMemory(null, address, bytes, (byte) 0);
    } else {
      int index = index(address);
      Arrays.fill(base, index, index + bytes, (byte) 0);
    }
  }

  /** Allocates native memory from the C library. Its content is undefined. */
  static long allocate(long bytes) {
    return UNSAFE.allocateMemory(bytes);
  }

  /** Frees memory that {@link #allocate} returned. */
  static void free(long address) {
    UNSAFE.freeMemory(address);
  }

  /** Frees a direct buffer that has a cleaner immediately. */
  static void invokeCleaner(ByteBuffer direct) {
    UNSAFE.invokeCleaner(direct);
  }

  /** Returns the offset of a field, or -1 if this JVM has no such field or hides it. */
  @SuppressWarnings("deprecation") // JDK 17 has no other method for the offset of a field
  static long fieldOffset(Class<?> type, String field) {
    try {
      return UNSAFE.objectFieldOffset(type.getDeclaredField(field));
    } catch (ReflectiveOperationException | RuntimeException hidden) {
      return -1;
    }
  }
}

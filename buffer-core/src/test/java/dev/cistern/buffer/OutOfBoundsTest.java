/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;

/**
 * Tests that every access out of bounds fails with an exception that names index, length and
 * capacity, and that it changes neither side.
 */
@Tag("B4")
@Tag("B5")
class OutOfBoundsTest {
  private static final int BYTES = 24;
  private static final int[] OUTSIDE = {
    -1, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, BYTES, BYTES + 1, Integer.MAX_VALUE
  };

  private static ByteBuf sample(BufferKind kind) {
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      bytes[i] = (byte) (i + 1);
    }
    return kind.of(bytes);
  }

  private static void assertIsAsBefore(ByteBuf buffer) {
    assertThat(buffer.readerIndex()).isZero();
    assertThat(buffer.writerIndex()).isEqualTo(BYTES);
    for (int i = 0; i < BYTES; i++) {
      assertThat(buffer.getByte(i)).isEqualTo((byte) (i + 1));
    }
  }

  /** Returns the methods that take an index and perhaps a value, all of them numbers. */
  private static List<Method> accessors() {
    List<Method> accessors = new ArrayList<>();
    for (Method method : ByteBuf.class.getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      boolean isGet = method.getName().startsWith("get") && types.length == 1;
      boolean isSet = method.getName().startsWith("set") && types.length == 2;
      boolean takesNumbers = types.length > 0 && types[types.length - 1].isPrimitive();
      if ((isGet || isSet)
          && takesNumbers
          && !method.getName().equals("setIndex")
          && !method.getName().equals("setZero")) {
        accessors.add(method);
      }
    }
    assertThat(accessors).hasSizeGreaterThan(35);
    return accessors;
  }

  private static Object[] arguments(Method method, int index) {
    if (method.getParameterCount() == 1) {
      return new Object[] {index};
    }
    Class<?> type = method.getParameterTypes()[1];
    Object value =
        type == boolean.class
            ? (Object) true
            : type == long.class
                ? (Object) 1L
                : type == float.class ? (Object) 1F : type == double.class ? (Object) 1D : 1;
    return new Object[] {index, value};
  }

  @EveryKind
  void numbersOutsideAreRefused(BufferKind kind) throws IllegalAccessException {
    ByteBuf buffer = sample(kind);
    for (Method accessor : accessors()) {
      for (int index : OUTSIDE) {
        try {
          accessor.invoke(buffer, arguments(accessor, index));
          throw new AssertionError(accessor + " at " + index);
        } catch (InvocationTargetException refused) {
          assertThat(refused.getCause())
              .as("%s at %s", accessor, index)
              .isInstanceOf(IndexOutOfBoundsException.class)
              .hasMessageContainingAll("" + index, "" + BYTES);
        }
      }
    }
    assertIsAsBefore(buffer);
    buffer.release();
  }

  @EveryKind
  void numbersThatReachOutsideAreRefused(BufferKind kind) {
    ByteBuf buffer = sample(kind);
    buffer.getLong(BYTES - 8);
    assertThatThrownBy(() -> buffer.getLong(BYTES - 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.setLong(BYTES - 7, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.getInt(BYTES - 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.setMedium(BYTES - 2, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.getShort(BYTES - 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertIsAsBefore(buffer);
    buffer.release();
  }

  @EveryKind
  void rangesThatAreNegativeOrOverflowAreRefused(BufferKind kind) {
    ByteBuf buffer = sample(kind);
    ByteBuf other = sample(BufferKind.UNPOOLED_DIRECT);
    byte[] array = new byte[BYTES];
    int[][] ranges = {
      {-1, 1},
      {0, -1},
      {1, BYTES},
      {BYTES, 1},
      {BYTES + 1, 0},
      {1, Integer.MAX_VALUE},
      {Integer.MAX_VALUE, Integer.MAX_VALUE},
      {Integer.MIN_VALUE, 1},
      {0, Integer.MIN_VALUE},
      {Integer.MIN_VALUE, Integer.MIN_VALUE}
    };
    for (int[] range : ranges) {
      int index = range[0];
      int length = range[1];
      List<ThrowingCallable> calls =
          List.of(
              () -> buffer.getBytes(index, array, 0, length),
              () -> buffer.setBytes(index, array, 0, length),
              () -> buffer.getBytes(index, other, 0, length),
              () -> buffer.setBytes(index, other, 0, length),
              () -> other.getBytes(0, buffer, index, length),
              () -> other.setBytes(0, buffer, index, length),
              () -> buffer.slice(index, length),
              () -> buffer.copy(index, length),
              () -> buffer.nioBuffer(index, length),
              () -> buffer.internalNioBuffer(index, length),
              () -> buffer.nioBuffers(index, length),
              () -> buffer.forEachByte(index, length, value -> true),
              () -> buffer.forEachByteDesc(index, length, value -> true));
      for (int call = 0; call < calls.size(); call++) {
        assertThatThrownBy(calls.get(call))
            .as("call %s: index %s, length %s", call, index, length)
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
    assertIsAsBefore(buffer);
    assertIsAsBefore(other);
    assertThat(array).containsOnly(0);
    other.release();
    buffer.release();
  }

  @EveryKind
  void nullIsRefusedAndChangesNothing(BufferKind kind) {
    ByteBuf buffer = sample(kind);
    List<ThrowingCallable> calls =
        List.of(
            () -> buffer.getBytes(0, (byte[]) null),
            () -> buffer.getBytes(0, (ByteBuf) null),
            () -> buffer.getBytes(0, (ByteBuffer) null),
            () -> buffer.setBytes(0, (byte[]) null),
            () -> buffer.setBytes(0, (ByteBuf) null),
            () -> buffer.setBytes(0, (ByteBuffer) null),
            () -> buffer.readBytes((byte[]) null),
            () -> buffer.readBytes((ByteBuffer) null),
            () -> buffer.writeBytes((byte[]) null),
            () -> buffer.writeBytes((ByteBuf) null),
            () -> buffer.forEachByte(null));
    for (var call : calls) {
      assertThatThrownBy(call).isInstanceOf(NullPointerException.class);
    }
    assertIsAsBefore(buffer);
    buffer.release();
  }
}

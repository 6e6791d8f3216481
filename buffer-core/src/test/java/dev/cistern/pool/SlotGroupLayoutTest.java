/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the JVM puts the fields of a slot group. */
class SlotGroupLayoutTest {
  private static final int CACHE_LINE = 64;
  private static final long IN_WORD = 7; // objects begin at multiples of 8 bytes

  @Test
  void fieldsThatDifferentThreadsWriteAreNeverOnOneCacheLine() throws ReflectiveOperationException {
    List<Field> fields = new ArrayList<>();
    for (Class<?> type = SlotGroup.class; type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getName().startsWith("gap")) {
          fields.add(field);
        }
      }
    }
    assertThat(fields).extracting(Field::getName).contains("remote", "head", "owner");
    for (Field one : fields) {
      for (Field other : fields) {
        if (one.getDeclaringClass() != other.getDeclaringClass()) {
          assertThat(Math.abs(word(one) - word(other)))
              .as("bytes between %s and %s", one, other)
              .isGreaterThanOrEqualTo(CACHE_LINE);
        }
      }
    }
  }

  private static long word(Field field) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field instance = type.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Method offset = type.getMethod("objectFieldOffset", Field.class);
    return (long) offset.invoke(instance.get(null), field) & ~IN_WORD;
  }
}

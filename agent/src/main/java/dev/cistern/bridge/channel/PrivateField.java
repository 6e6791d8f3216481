/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import io.netty.channel.Channel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** A private field of Netty, found by its name. The agent's thread only. */
final class PrivateField {
  /** The number in an object without such a field. */
  static final long ABSENT = Long.MIN_VALUE;

  private final String name;

  /** The class of the latest owner, if Netty's loader defines it. */
  private @Nullable Class<?> type;

  /** The field in that class or in a superclass; null if it has none that can be read. */
  private @Nullable VarHandle field;

  PrivateField(String name) {
    this.name = name;
  }

  /** Returns the value in an object; null if there is no such field. */
  @Nullable Object value(@Nullable Object owner) {
    if (owner == null) {
      return null;
    }
    VarHandle found = field(owner.getClass());
    return found == null ? null : found.get(owner);
  }

  /** Returns the number in an object; {@link #ABSENT} if there is no such field. */
  long number(@Nullable Object owner) {
    return value(owner) instanceof Number number ? number.longValue() : ABSENT;
  }

  /** A class of another loader is not kept, because its loader could not be collected then. */
  private @Nullable VarHandle field(Class<?> owner) {
    if (owner == type) {
      return field;
    }
    VarHandle found = find(owner, name);
    if (owner.getClassLoader() == Channel.class.getClassLoader()) {
      field = found;
      type = owner;
    }
    return found;
  }

  private static @Nullable VarHandle find(Class<?> owner, String name) {
    try {
      for (Class<?> each = owner; each != null; each = each.getSuperclass()) {
        for (Field candidate : each.getDeclaredFields()) {
          if (candidate.getName().equals(name)) {
            return MethodHandles.privateLookupIn(each, MethodHandles.lookup())
                .unreflectVarHandle(candidate);
          }
        }
      }
    } catch (IllegalAccessException | LinkageError refused) {
      return null; // a named module that is not open, or a class that misses others
    }
    return null;
  }
}

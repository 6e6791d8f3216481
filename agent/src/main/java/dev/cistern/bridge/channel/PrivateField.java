/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** A private field of Netty, found by its name. The agent's thread only. */
final class PrivateField {
  private final String name;

  /** The class of the latest owner. */
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
    if (owner.getClass() != type) {
      field = find(owner.getClass(), name);
      type = owner.getClass();
    }
    return field == null ? null : field.get(owner);
  }

  /** Returns the number in an object; 0 if there is no such field. */
  long number(@Nullable Object owner) {
    return value(owner) instanceof Number number ? number.longValue() : 0;
  }

  private static @Nullable VarHandle find(Class<?> owner, String name) {
    for (Class<?> each = owner; each != null; each = each.getSuperclass()) {
      for (Field candidate : each.getDeclaredFields()) {
        if (candidate.getName().equals(name)) {
          try {
            return MethodHandles.privateLookupIn(each, MethodHandles.lookup())
                .unreflectVarHandle(candidate);
          } catch (IllegalAccessException refused) { // a named module that is not open
            return null;
          }
        }
      }
    }
    return null;
  }
}

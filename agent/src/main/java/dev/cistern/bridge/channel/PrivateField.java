/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A private field of Netty, found by its name. */
final class PrivateField {
  /** The result for an object without such a number. */
  static final long ABSENT = Long.MIN_VALUE;

  private final String name;

  /**
   * The field in a class or in a superclass. A class keeps its value; this object keeps no class.
   */
  private final ClassValue<Optional<VarHandle>> fields =
      new ClassValue<>() {
        @Override
        protected Optional<VarHandle> computeValue(Class<?> owner) {
          return find(owner);
        }
      };

  PrivateField(String name) {
    this.name = name;
  }

  /** Returns the value in an object; null if there is no such field. */
  @Nullable Object value(@Nullable Object owner) {
    if (owner == null) {
      return null;
    }
    VarHandle found = fields.get(owner.getClass()).orElse(null);
    return found == null ? null : found.get(owner);
  }

  /** Returns the number in an object; {@link #ABSENT} if there is no such field. */
  long number(@Nullable Object owner) {
    return value(owner) instanceof Number number ? number.longValue() : ABSENT;
  }

  private Optional<VarHandle> find(Class<?> owner) {
    try {
      for (Class<?> each = owner; each != null; each = each.getSuperclass()) {
        for (Field candidate : each.getDeclaredFields()) {
          if (candidate.getName().equals(name)) {
            return Optional.of(
                MethodHandles.privateLookupIn(each, MethodHandles.lookup())
                    .unreflectVarHandle(candidate));
          }
        }
      }
    } catch (IllegalAccessException | LinkageError refused) {
      return Optional.empty(); // the module is not open, or a class is missing
    }
    return Optional.empty();
  }
}

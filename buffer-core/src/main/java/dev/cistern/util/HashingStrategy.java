/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A definition of equality and hash code, for collections that do not use those of the values'
 * class.
 *
 * @param <T> the type of the values
 */
public interface HashingStrategy<T extends @Nullable Object> {
  /**
   * The equality and hash code of the values' class. Null equals only null, and has the hash code
   * 0.
   */
  @SuppressWarnings("rawtypes") // for every type of value
  HashingStrategy JAVA_HASHER =
      new HashingStrategy<@Nullable Object>() {
        @Override
        public int hashCode(@Nullable Object value) {
          return Objects.hashCode(value);
        }

        @Override
        public boolean equals(@Nullable Object a, @Nullable Object b) {
          return Objects.equals(a, b);
        }
      };

  /**
   * Returns the hash code of a value, which is the same for all values that are equal by this
   * strategy.
   */
  int hashCode(T obj);

  /** Returns whether two values are equal. The relation is reflexive, symmetric and transitive. */
  boolean equals(T a, T b);
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Equality and hash code of values, for collections that do not want those of the values' own
 * class.
 *
 * @param <T> the type of the values
 */
public interface HashingStrategy<T extends @Nullable Object> {
  /** What the values' own class says; null equals only null, and has the hash code 0. */
  @SuppressWarnings("rawtypes") // so that it serves every type of value
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

  /** The hash code of a value; alike for all values that are equal here. */
  int hashCode(T obj);

  /** Whether two values are equal; reflexive, symmetric and transitive. */
  boolean equals(T a, T b);
}

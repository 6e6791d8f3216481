/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import org.jspecify.annotations.Nullable;

/**
 * A kind of memory and a stack. Compares stacks by identity, because their table has each stack
 * once.
 *
 * @param memory {@code direct} or {@code heap}
 * @param stack null for all samples without one
 */
record StackKey(String memory, StackTable.@Nullable Stack stack) {
  // written by hand in all keys here: the generated method would pin the class loader (JDK 17)
  @Override
  public boolean equals(Object other) {
    return other instanceof StackKey key && stack == key.stack && memory.equals(key.memory);
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(stack) * 31 + memory.hashCode();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stack stands for all of its site, where that is all that is told of stacks. One thread. */
final class FirstOfSite {
  private final Map<String, StackTable.Stack> first = new HashMap<>();

  /** The stack under which another is added up; null for none. */
  StackTable.@Nullable Stack of(StackTable.@Nullable Stack stack) {
    return stack == null ? null : first.computeIfAbsent(stack.site(), site -> stack);
  }
}

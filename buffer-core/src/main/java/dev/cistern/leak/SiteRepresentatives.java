/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stack for each site, for sums by site. Not thread-safe. */
final class SiteRepresentatives {
  private final Map<String, StackTable.Stack> stacks = new HashMap<>();

  /** Returns the stack that represents the site of a stack; null for none. */
  StackTable.@Nullable Stack of(StackTable.@Nullable Stack stack) {
    return stack == null ? null : stacks.computeIfAbsent(stack.site(), site -> stack);
  }
}

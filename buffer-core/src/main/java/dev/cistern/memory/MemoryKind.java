/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

/** The two kinds of memory of a pool. */
public enum MemoryKind {
  /** Native memory, outside the Java heap. */
  DIRECT("direct"),
  /** Byte arrays on the Java heap. */
  HEAP("heap");

  private final String label;

  MemoryKind(String label) {
    this.label = label;
  }

  /** Returns the value of the {@code memory} label in metrics. */
  public String label() {
    return label;
  }
}

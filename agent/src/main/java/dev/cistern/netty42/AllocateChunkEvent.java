/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

import org.jspecify.annotations.Nullable;

/** A chunk was drawn. */
public final class AllocateChunkEvent {
  /** The kind of allocator. */
  public @Nullable Class<?> allocatorType;

  /** Bytes. */
  public int capacity;

  /** Whether the memory is native. */
  public boolean direct;

  /** Where it lies, or 0. */
  public long address;

  /** Whether it serves many buffers. */
  public boolean pooled;

  /** Whether it is of one thread. */
  public boolean threadLocal;

  /** Whether a recording wants it. */
  public static boolean isEventEnabled() {
    return false;
  }

  /** Whether it is to be written. */
  public boolean shouldCommit() {
    return false;
  }

  /** Writes it. */
  public void commit() {}
}

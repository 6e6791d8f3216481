/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

import org.jspecify.annotations.Nullable;

/** A buffer was handed out. */
public final class AllocateBufferEvent {
  /** The kind of allocator. */
  public @Nullable Class<?> allocatorType;

  /** Bytes of capacity. */
  public int size;

  /** Bytes of the slot. */
  public int maxFastCapacity;

  /** The most bytes it may grow to. */
  public int maxCapacity;

  /** Whether the memory is native. */
  public boolean direct;

  /** Where it lies, or 0. */
  public long address;

  /** Whether its chunk is of a pool. */
  public boolean chunkPooled;

  /** Whether its chunk is of one thread. */
  public boolean chunkThreadLocal;

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

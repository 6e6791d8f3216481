/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

import org.jspecify.annotations.Nullable;

/** A chunk is given back. */
public final class FreeChunkEvent {
  /** The kind of allocator. */
  public @Nullable Class<?> allocatorType;

  /** Bytes. */
  public int capacity;

  /** Whether the memory is native. */
  public boolean direct;

  /** Where it lies, or 0. */
  public long address;

  /** Whether it served many buffers. */
  public boolean pooled;

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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** A buffer was allocated. */
public final class AllocateBufferEvent extends AbstractBufferEvent {
  /** Whether its memory is part of a pooled chunk. */
  public boolean chunkPooled;

  /** Whether its memory is from a cache of the thread. */
  public boolean chunkThreadLocal;
}

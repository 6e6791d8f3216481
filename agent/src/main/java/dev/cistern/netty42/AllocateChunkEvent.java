/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** A chunk was allocated. */
public final class AllocateChunkEvent extends AbstractChunkEvent {
  /** Whether it serves many buffers. */
  public boolean pooled;

  /** Whether it belongs to one thread. */
  public boolean threadLocal;
}

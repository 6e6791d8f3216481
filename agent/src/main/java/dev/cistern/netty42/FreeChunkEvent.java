/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** A chunk was freed. */
public final class FreeChunkEvent extends AbstractChunkEvent {
  /** Whether it served many buffers. */
  public boolean pooled;
}

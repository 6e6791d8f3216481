/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** The superclass of the events of a chunk. */
public class AbstractChunkEvent extends AbstractAllocatorEvent {
  /** Size in bytes. */
  public int capacity;

  /** Whether the memory is native. */
  public boolean direct;

  /** Memory address, or 0. */
  public long address;
}

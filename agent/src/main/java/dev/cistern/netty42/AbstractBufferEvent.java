/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** The superclass of the events of a buffer. */
public class AbstractBufferEvent extends AbstractAllocatorEvent {
  /** Capacity in bytes. */
  public int size;

  /** Bytes of the slot. */
  public int maxFastCapacity;

  /** Maximum capacity in bytes. */
  public int maxCapacity;

  /** Whether the memory is native. */
  public boolean direct;

  /** Memory address, or 0. */
  public long address;
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty42;

/** A buffer moves to memory of another size. */
public final class ReallocateBufferEvent extends AbstractBufferEvent {
  /** Requested capacity in bytes. */
  public int newCapacity;
}

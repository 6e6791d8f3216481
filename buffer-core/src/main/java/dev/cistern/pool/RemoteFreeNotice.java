/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * A message to a bin: other threads have released slots of one of its full groups. A bin creates a
 * new notice each time that it acquires a group. So a late notice only reaches the bin that created
 * it.
 */
final class RemoteFreeNotice {
  final Bin bin;
  final SlotGroup group;

  /**
   * The next older notice. Written by the sender before it publishes this notice; read by the bin's
   * owner after it took all notices.
   */
  @Nullable RemoteFreeNotice next;

  /** The number of notices in the list from this one on. Written with {@link #next}. */
  int depth;

  RemoteFreeNotice(Bin bin, SlotGroup group) {
    this.bin = bin;
    this.group = group;
  }

  /** Sends the notice. Returns the number of notices that now wait for the bin's owner. */
  int send() {
    return bin.notices.push(this);
  }
}

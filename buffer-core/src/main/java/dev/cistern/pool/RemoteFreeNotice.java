/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * A message to a bin: other threads have released slots of one of its full groups. A bin makes a
 * new notice each time that it gets a group, so that a late notice reaches only the bin of its
 * time.
 */
final class RemoteFreeNotice {
  final Bin bin;
  final SlotGroup group;

  /** Written by the sender before it publishes this; read by the bin's owner after it took all. */
  @Nullable RemoteFreeNotice next;

  /** Number of notices in the list from this one on; written with {@link #next}. */
  int depth;

  RemoteFreeNotice(Bin bin, SlotGroup group) {
    this.bin = bin;
    this.group = group;
  }

  /** Sends the notice; returns the number of notices that now wait for the bin's owner. */
  int send() {
    return bin.notices.push(this);
  }
}

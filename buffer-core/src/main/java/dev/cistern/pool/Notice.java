/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * A message to a bin: one of its full groups has free slots again. Each time that a bin takes a
 * group over it makes another notice, so that a late notice can only reach the bin it was made for.
 */
final class Notice {
  final Bin bin;
  final SlotGroup group;

  /** Written by the sender before it publishes this, read by the bin's owner after it took all. */
  @Nullable Notice next;

  /** How many notices the list has from here on; written with {@link #next}. */
  int depth;

  Notice(Bin bin, SlotGroup group) {
    this.bin = bin;
    this.group = group;
  }

  /** Sends the notice; returns how many notices wait for the bin's owner then. */
  int send() {
    return bin.notices.push(this);
  }
}

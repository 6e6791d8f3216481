/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * Tells a bin that one of its full groups has a free slot again. One is made each time a bin takes
 * a group over, so that a notice that arrives late can only reach the bin it was meant for.
 */
final class Notice {
  final Bin bin;
  final SlotGroup group;

  /** Written by the sender before it publishes this, read by the bin's owner after it took all. */
  @Nullable Notice next;

  Notice(Bin bin, SlotGroup group) {
    this.bin = bin;
    this.group = group;
  }

  void send() {
    bin.notices.push(this);
  }
}

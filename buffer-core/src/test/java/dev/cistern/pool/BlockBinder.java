/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.atomic.LongAdder;

/** Binds {@link Block}s, and counts the samples. */
final class BlockBinder implements SlotBinder {
  final LongAdder samples = new LongAdder();
  final LongAdder sampledWeightBytes = new LongAdder();

  /** The action for each sample; set before the first one. */
  Runnable onSample = () -> {};

  @Override
  public Object bind(SlotGroup group, int index) {
    return new Block(group, index);
  }

  @Override
  public void sampled(Object bound, int requestedBytes, long weightBytes) {
    samples.increment();
    sampledWeightBytes.add(weightBytes);
    onSample.run();
  }
}

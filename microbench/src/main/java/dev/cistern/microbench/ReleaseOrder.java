/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

/**
 * The order in which a batch is released. The benchmarks vary it so that no allocator profits from
 * a purely last-in, first-out order.
 */
enum ReleaseOrder {
  FORWARD,
  BACKWARD,
  EVENS_THEN_ODDS;

  private static final ReleaseOrder[] ALL = values();

  /** Returns the order of the batch with that number. */
  static ReleaseOrder of(int number) {
    return ALL[Math.floorMod(number, ALL.length)];
  }

  /** Releases a whole batch. */
  void release(Subject subject, Object[] batch) {
    int count = batch.length;
    switch (this) {
      case FORWARD -> release(subject, batch, 0, 1);
      case BACKWARD -> {
        for (int i = count - 1; i >= 0; i--) {
          subject.release(batch[i]);
        }
      }
      case EVENS_THEN_ODDS -> {
        release(subject, batch, 0, 2);
        release(subject, batch, 1, 2);
      }
    }
  }

  private static void release(Subject subject, Object[] batch, int from, int step) {
    for (int i = from; i < batch.length; i += step) {
      subject.release(batch[i]);
    }
  }
}

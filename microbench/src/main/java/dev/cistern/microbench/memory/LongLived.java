/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Allocates and releases short-lived buffers in random order in a window; one in a hundred stays.
 * At the end, the threads release the window and sleep.
 */
final class LongLived implements Load {
  private static final int ONE_IN = 100;
  private static final long MIB = 1L << 20;

  private final Bed bed;
  private final SizeMix sizes;
  private final int window;
  private final long keepBytes;
  private final List<List<Object>> kept = new ArrayList<>();
  private final long[] keptBytes;

  /**
   * Creates the scenario.
   *
   * @param window short-lived buffers alive at a time, for each thread
   * @param keepMib MiB that stay until the end, for all threads together
   */
  LongLived(Bed bed, SizeMix sizes, int window, int keepMib) {
    this.bed = bed;
    this.sizes = sizes;
    this.window = window;
    this.keepBytes = keepMib * MIB / bed.loops.count();
    this.keptBytes = new long[bed.loops.count()];
    for (int i = 0; i < bed.loops.count(); i++) {
      kept.add(new ArrayList<>());
    }
  }

  @Override
  public void run() throws Exception {
    Sampler sampler = new Sampler(bed.meter());
    bed.loops.run(this::churn);
    sampler.end(bed);
    long bytes = 0;
    for (long each : keptBytes) {
      bytes += each;
    }
    bed.number("kept-bytes", bytes);
  }

  private void churn(int loop) {
    SplittableRandom random = new SplittableRandom(bed.seed(loop));
    Object[] alive = new Object[window];
    while (keptBytes[loop] < keepBytes) {
      int bytes = sizes.next(random);
      Object buffer = bed.subject().allocate(bytes);
      if (random.nextInt(ONE_IN) == 0) {
        kept.get(loop).add(buffer);
        keptBytes[loop] += bytes;
        continue;
      }
      int place = random.nextInt(window);
      Object before = alive[place];
      alive[place] = buffer;
      if (before != null) {
        bed.subject().release(before);
      }
    }
    for (Object buffer : alive) {
      if (buffer != null) {
        bed.subject().release(buffer);
      }
    }
  }
}

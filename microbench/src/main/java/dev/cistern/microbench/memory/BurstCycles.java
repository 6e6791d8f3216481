/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The same burst repeatedly, with pauses in which the threads sleep. The reserved memory must not
 * grow from one pause to the next.
 */
final class BurstCycles implements Load {
  static final int CYCLES = 10;
  static final int PAUSE_SECONDS = 12;
  static final long BYTES = 256L << 20;

  /** The prefix of the points at the beginning of pauses. */
  static final String PAUSE = "pause";

  private final Bed bed;

  /** For each thread, the buffers that it releases. */
  private final List<List<Object>> toRelease = new ArrayList<>();

  BurstCycles(Bed bed) {
    this.bed = bed;
    for (int i = 0; i < bed.loops.count(); i++) {
      toRelease.add(Collections.synchronizedList(new ArrayList<>()));
    }
  }

  @Override
  public void run() throws Exception {
    Sampler sampler = new Sampler(bed.meter());
    for (int cycle = 1; cycle <= CYCLES; cycle++) {
      int now = cycle;
      bed.loops.run(loop -> allocate(loop, now));
      bed.loops.run(this::release);
      bed.point(PAUSE, bed.meter().now());
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      bed.point(label(cycle), bed.meter().collected());
    }
    sampler.end(bed);
  }

  /** Returns the label of the point after so many bursts and pauses. */
  static String label(int cycle) {
    return "cycle-" + cycle;
  }

  /**
   * Allocates the buffers of a cycle. The requests differ in each cycle, and half of the buffers
   * are passed to another thread.
   */
  private void allocate(int loop, int cycle) {
    SplittableRandom random = new SplittableRandom(bed.seed(loop) * 31 + cycle);
    List<Object> mine = toRelease.get(loop);
    List<Object> others = toRelease.get((loop + 1) % bed.loops.count());
    for (long left = BYTES / bed.loops.count(); left > 0; ) {
      int bytes = SizeMix.BURST.next(random);
      (random.nextBoolean() ? others : mine).add(bed.subject().allocate(bytes));
      left -= bytes;
    }
  }

  private void release(int loop) {
    List<Object> buffers = toRelease.get(loop);
    Collections.shuffle(buffers, new Random(bed.seed(loop)));
    buffers.forEach(bed.subject()::release);
    buffers.clear();
  }
}

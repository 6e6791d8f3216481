/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** All threads together allocate 1 GiB and release it, then sleep. */
final class Burst implements Load {
  private static final long BYTES = 1L << 30;

  private final Bed bed;
  private final boolean shuffled;
  private final int remotePercent;

  /** For each thread, the buffers that it releases. */
  private final List<List<Object>> toRelease = new ArrayList<>();

  Burst(Bed bed, boolean shuffled, int remotePercent) {
    this.bed = bed;
    this.shuffled = shuffled;
    this.remotePercent = remotePercent;
    for (int i = 0; i < bed.loops.count(); i++) {
      toRelease.add(Collections.synchronizedList(new ArrayList<>()));
    }
  }

  @Override
  public void run() throws Exception {
    Sampler sampler = new Sampler(bed.meter());
    bed.loops.run(this::allocate);
    bed.point("full", bed.meter().now());
    bed.loops.run(this::release);
    sampler.end(bed);
  }

  private void allocate(int loop) {
    SplittableRandom random = new SplittableRandom(bed.seed(loop));
    List<Object> mine = toRelease.get(loop);
    List<Object> others = toRelease.get((loop + 1) % bed.loops.count());
    for (long left = BYTES / bed.loops.count(); left > 0; ) {
      int bytes = SizeMix.BURST.next(random);
      Object buffer = bed.subject().allocate(bytes);
      (random.nextInt(100) < remotePercent ? others : mine).add(buffer);
      left -= bytes;
    }
  }

  private void release(int loop) {
    List<Object> buffers = toRelease.get(loop);
    if (shuffled) {
      Collections.shuffle(buffers, new Random(bed.seed(loop)));
    }
    buffers.forEach(bed.subject()::release);
    buffers.clear();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CyclicBarrier;

/**
 * Mixed lifetimes on several event loops, under a load in waves: the live bytes rise to a crest and
 * fall to a quarter of it. One buffer in five is released by another loop. The loops stay in step,
 * so that runs are comparable.
 */
final class MixedTrace implements Load {
  static final int STEPS = 2 << 20;
  private static final int WAVES = 4;
  private static final int LEGS = 64;

  /** The number of a leg that ends on a crest. */
  private static final int CREST = 40;

  private static final long MIB = 1L << 20;
  private static final long TROUGH_BYTES = 16 * MIB;
  private static final long CREST_BYTES = 64 * MIB;
  private static final int MAX_LIVE = 1 << 16;
  private static final int INBOX = 1 << 8;

  private final Bed bed;
  private final SizeMix sizes;
  private final CyclicBarrier leg;
  private final List<LiveBuffers> alive = new ArrayList<>();
  private final List<ArrayBlockingQueue<Object>> inboxes = new ArrayList<>();

  // Used only by the action of the barrier.
  private int legs;
  private long mostLiveBytes;

  MixedTrace(Bed bed, SizeMix sizes) {
    this.bed = bed;
    this.sizes = sizes;
    this.leg = new CyclicBarrier(bed.loops.count(), this::endLeg);
    for (int i = 0; i < bed.loops.count(); i++) {
      alive.add(new LiveBuffers(MAX_LIVE));
      inboxes.add(new ArrayBlockingQueue<>(INBOX));
    }
  }

  @Override
  public void run() throws Exception {
    Sampler sampler = new Sampler(bed.meter());
    bed.loops.run(this::trace);
    sampler.end(bed);
    bed.number("live-bytes", mostLiveBytes);
    bed.loops.run(this::releaseAll);
  }

  private void endLeg() {
    long live = 0;
    for (LiveBuffers each : alive) {
      live += each.liveBytes();
    }
    mostLiveBytes = Math.max(mostLiveBytes, live);
    if (++legs == CREST) {
      bed.point("crest", bed.meter().collected());
      bed.detail("crest");
      ClassHistogram.report(bed);
    }
  }

  /** Returns the limit of a loop's live bytes. */
  static long boundBytes(int step) {
    double sine = Math.sin(Math.PI * WAVES * step / STEPS);
    return TROUGH_BYTES + (long) ((CREST_BYTES - TROUGH_BYTES) * sine * sine);
  }

  private void trace(int loop) throws Exception {
    TraceStep step = new TraceStep(bed.seed(loop), sizes);
    LiveBuffers mine = alive.get(loop);
    ArrayBlockingQueue<Object> inbox = inboxes.get(loop);
    ArrayBlockingQueue<Object> other = inboxes.get((loop + 1) % inboxes.size());
    for (int now = 0; now < STEPS; now++) {
      step.next();
      long bound = boundBytes(now);
      while (!mine.isEmpty()
          && (mine.firstDue() <= now || mine.liveBytes() + step.bytes > bound || mine.isFull())) {
        releaseFirst(mine, other);
      }
      Object buffer = bed.subject().allocate(step.bytes);
      mine.add(buffer, step.bytes, (long) now + step.lifetime, step.handedOver);
      for (Object given; (given = inbox.poll()) != null; ) {
        bed.subject().release(given);
      }
      if ((now + 1) % (STEPS / LEGS) == 0) {
        leg.await();
      }
    }
  }

  private void releaseFirst(LiveBuffers mine, ArrayBlockingQueue<Object> other) {
    boolean handOver = mine.firstIsHandedOver();
    Object buffer = mine.removeFirst();
    if (!handOver || !other.offer(buffer)) {
      bed.subject().release(buffer);
    }
  }

  private void releaseAll(int loop) {
    for (LiveBuffers mine = alive.get(loop); !mine.isEmpty(); ) {
      bed.subject().release(mine.removeFirst());
    }
    for (Object given; (given = inboxes.get(loop).poll()) != null; ) {
      bed.subject().release(given);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Runs one scenario with one allocator: {@code <scenario> <allocator> <seed> <seconds of idling>}.
 */
public final class MemoryChild {
  static final String IDLE = "idle-";
  static final int[] IDLE_SECONDS = {0, 10, 20, 60};

  private MemoryChild() {}

  /** Runs the scenario, idles, and ends the JVM. */
  public static void main(String[] arguments) throws Exception {
    Scenario scenario = Scenario.of(arguments[0]);
    SubjectKind kind = SubjectKind.of(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    int idleSeconds = Integer.parseInt(arguments[3]);
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Bed bed = new Bed(seed, out);
    try {
      Load load = scenario.prepare(bed);
      Meter.collect();
      bed.number("heap-before", Meter.heapBytes());
      bed.open(kind.open());
      load.run();
      idle(bed, idleSeconds);
      System.exit(0); // the threads of the loops do not end
    } catch (Exception | Error failed) {
      failed.printStackTrace();
      System.exit(1);
    }
  }

  private static void idle(Bed bed, int seconds) throws InterruptedException {
    long begin = System.nanoTime();
    for (int after : IDLE_SECONDS) {
      if (after > seconds) {
        return;
      }
      long waited = System.nanoTime() - begin;
      TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(after) - waited);
      bed.point(IDLE + after, bed.meter().collected());
      if (after == seconds) {
        bed.detail(IDLE + after);
      }
    }
  }
}

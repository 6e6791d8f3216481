/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import dev.cistern.microbench.BridgeReady;
import io.netty.buffer.ByteBufAllocator;

/**
 * Runs each workload a few times and prints a line for each: its name, the digest of all its
 * output, and the number of buffers by their library. The digests must be the same with and without
 * the agent.
 */
public final class Outcomes {
  private static final int PASSES = 3;

  private Outcomes() {}

  /**
   * Runs the workloads.
   *
   * @param arguments {@code served} if the agent must serve, otherwise empty
   */
  public static void main(String... arguments) throws Exception {
    if (arguments.length > 0) {
      BridgeReady.await(ByteBufAllocator.DEFAULT);
    }
    for (Workloads.Entry entry : Workloads.all()) {
      String missing = entry.missing().get();
      System.out.println(
          entry.id() + " " + (missing == null ? of(entry.make()) : "missing: " + missing));
    }
  }

  private static Outcome of(Workload workload) throws Exception {
    Outcome outcome = new Outcome();
    workload.open();
    try {
      for (int pass = 0; pass < PASSES; pass++) {
        workload.record(outcome);
      }
    } finally {
      workload.close();
    }
    return outcome;
  }
}

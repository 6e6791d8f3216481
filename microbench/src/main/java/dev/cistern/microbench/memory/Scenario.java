/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.Locale;

/** The workload of an allocator; each combination runs in a separate JVM. */
enum Scenario {
  /** Mixed lifetimes, with the sizes of socket data. */
  TRACE_SOCKET,
  /** Mixed lifetimes, with smaller sizes and occasional uploads. */
  TRACE_UPLOADS,
  /** A burst of 1 GiB. The allocating threads release it, in the same order. */
  BURST_OWNER,
  /** The same, in random order. */
  BURST_RANDOM,
  /** The same, with each buffer released by another thread. */
  BURST_REMOTE,
  /**
   * The same, with half of the buffers released by their own thread and half by another, at the
   * same time.
   */
  BURST_HALF,
  /** A burst of 256 MiB and a pause, ten times. */
  BURST_CYCLES,
  /** One in a hundred buffers stays: buffers of 1 KiB. */
  LONG_LIVED_KIB,
  /** The same with mixed sizes. */
  LONG_LIVED_MIXED,
  /** The same with mixed sizes; all short-lived buffers are alive at once before their release. */
  LONG_LIVED_WAVES,
  /** Short-lived event-loop threads. */
  SHORT_THREADS,
  /** Short-lived plain threads. */
  SHORT_PLAIN_THREADS;

  private static final String TRACE =
      "Mixed lifetimes on four event loops, in waves; one buffer in five is released elsewhere.";
  private static final String BURST =
      "Four event loops allocate 1 GiB, release it, and sleep. Buffers are released";
  private static final String LONG_LIVED =
      "One buffer in a hundred stays, among short-lived ones that are all released at the end.";

  /** Returns the description for a table's heading. */
  String story() {
    return switch (this) {
      case TRACE_SOCKET -> TRACE + " Socket sizes.";
      case TRACE_UPLOADS -> TRACE + " Upload sizes.";
      case BURST_OWNER -> BURST + " by the allocating thread, in the same order.";
      case BURST_RANDOM -> BURST + " by the allocating thread, in random order.";
      case BURST_REMOTE -> BURST + " each by another thread, in random order.";
      case BURST_HALF -> BURST + " half by the allocating thread, half by another, at once.";
      case BURST_CYCLES ->
          "Four event loops allocate 256 MiB, release it, half of it by another loop, and sleep for "
              + BurstCycles.PAUSE_SECONDS
              + " s, "
              + BurstCycles.CYCLES
              + " times.";
      case LONG_LIVED_KIB -> LONG_LIVED + " 1 KiB; a window of 1,024 in each thread.";
      case LONG_LIVED_MIXED -> LONG_LIVED + " Upload sizes; a window of 1,024 in each thread.";
      case LONG_LIVED_WAVES ->
          LONG_LIVED + " Upload sizes; a window of 32,768, larger than what is kept.";
      case SHORT_THREADS -> "10,000 event-loop threads come and go, 8 at a time.";
      case SHORT_PLAIN_THREADS -> "10,000 plain threads come and go, 8 at a time.";
    };
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Scenario of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns whether the scenario needs about 1 GiB. */
  boolean isLarge() {
    return name().startsWith("BURST") && !pauses();
  }

  /** Returns whether the scenario pauses between bursts, during which another child may work. */
  boolean pauses() {
    return this == BURST_CYCLES;
  }

  /** Creates the scenario, with everything that it keeps on the heap. */
  Load prepare(Bed bed) {
    return switch (this) {
      case TRACE_SOCKET -> new MixedTrace(bed, SizeMix.SOCKET);
      case TRACE_UPLOADS -> new MixedTrace(bed, SizeMix.UPLOADS);
      case BURST_OWNER -> new Burst(bed, false, 0);
      case BURST_RANDOM -> new Burst(bed, true, 0);
      case BURST_REMOTE -> new Burst(bed, true, 100);
      case BURST_HALF -> new Burst(bed, true, 50);
      case BURST_CYCLES -> new BurstCycles(bed);
      case LONG_LIVED_KIB -> new LongLived(bed, SizeMix.KIB, 1024, 64);
      case LONG_LIVED_MIXED -> new LongLived(bed, SizeMix.UPLOADS, 1024, 64);
      case LONG_LIVED_WAVES -> new LongLived(bed, SizeMix.UPLOADS, 32 << 10, 8);
      case SHORT_THREADS -> new ShortThreads(bed, true);
      case SHORT_PLAIN_THREADS -> new ShortThreads(bed, false);
    };
  }
}

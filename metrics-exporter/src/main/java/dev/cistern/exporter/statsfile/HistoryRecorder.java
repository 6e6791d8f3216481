/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.util.internal.DaemonThreads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records the history of a process without a stats file. The history is in the heap, and a separate
 * thread records it. A report that fails leaves a gap.
 */
public final class HistoryRecorder implements AutoCloseable {
  private static final long STEP_NANOS = 1_000_000_000;

  /**
   * Factor of the pause after slow reports. A single slow report does not lengthen the pause,
   * because the first report loads classes.
   */
  private static final int REST_FACTOR = 20;

  private final StatsSource source;
  private final Thread thread = DaemonThreads.create("cistern-history", this::run);
  private volatile boolean isClosed;

  /** Region of {@link HistoryRing#BYTES}; null before the first record. Guarded by this. */
  private byte @Nullable [] region;

  /** History in {@link #region}. Guarded by this. */
  private @Nullable HistoryRing ring;

  private HistoryRecorder(StatsSource source) {
    this.source = source;
  }

  /**
   * Starts recording the reports of a source, once a second, while the source keeps no history
   * itself.
   */
  public static HistoryRecorder start(StatsSource source) {
    HistoryRecorder recorder = new HistoryRecorder(source);
    recorder.thread.start();
    return recorder;
  }

  private void run() {
    long before = 0;
    while (!isClosed) {
      long start = System.nanoTime();
      record();
      long end = System.nanoTime();
      long cost = end - start;
      long pause = Math.max(STEP_NANOS - cost, REST_FACTOR * Math.min(cost, before));
      before = cost;
      for (long left; !isClosed && (left = end + pause - System.nanoTime()) > 0; ) {
        boolean unused = Thread.interrupted(); // some hosts interrupt all their threads
        LockSupport.parkNanos(this, left);
      }
    }
  }

  private void record() {
    try {
      if (!source.hasHistory()) {
        add(HostView.of(source.sites()));
      }
    } catch (RuntimeException | LinkageError | VirtualMachineError gap) {
      // The scrape counts a source that fails.
    }
  }

  private synchronized void add(HostView host) {
    if (ring == null) {
      region = new byte[HistoryRing.BYTES];
      ring = new HistoryRing(ByteBuffer.wrap(region).order(ByteOrder.LITTLE_ENDIAN));
    }
    ring.add(host);
  }

  /** Returns the history so far. */
  public History history() {
    byte[] copy;
    synchronized (this) {
      if (region == null) {
        return History.NONE;
      }
      copy = region.clone();
    }
    return HistoryRing.read(copy);
  }

  /** Ends the recording. */
  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
  }
}

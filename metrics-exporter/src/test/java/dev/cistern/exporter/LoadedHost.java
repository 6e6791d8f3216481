/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.SlotBinder;
import dev.cistern.pool.SlotGroup;
import dev.cistern.stats.NettyReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Real pools in this process: a thread keeps them busy, and leaks a known number of buffers. In
 * addition, a copy of Netty with fixed values that is only observed.
 */
final class LoadedHost implements StatsSource {
  /** Sizes of buffers: small, normal (such as a page and a half) and huge. */
  private static final int[] SIZES = {64, 1_500, 12_288, 100_000, 6 << 20};

  private final LeakStore store = new LeakStore(16, line -> {});
  private final LeakDetector detector = new LeakDetector("busy", store);
  private final BufferPool direct = pool(MemoryKind.DIRECT, new DirectMemorySource());
  private final BufferPool heap = pool(MemoryKind.HEAP, new HeapMemorySource());
  private final BufferPool still = pool(MemoryKind.HEAP, new HeapMemorySource());
  private final List<Slot> held = new ArrayList<>();
  private final AtomicLong served = new AtomicLong();
  private final Thread load = new Thread(this::work, "load");
  private volatile boolean closed;

  /** The object that is bound to a slot. */
  private record Slot(SlotGroup group, int index) {
    void release() {
      group.release(index);
    }
  }

  private static BufferPool pool(MemoryKind kind, MemorySource source) {
    return BufferPool.builder(kind, source, new Binder()).arenas(2).build();
  }

  /** Binds slots and ignores samples. */
  private static final class Binder implements SlotBinder {
    @Override
    public Object bind(SlotGroup group, int index) {
      return new Slot(group, index);
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      // The leaks of this host are known, not sampled.
    }
  }

  void start() {
    load.setDaemon(true);
    load.start();
  }

  /** Allocates buffers of the pool without load, and keeps some of them. */
  void allocateStill(int buffers, int keep, int bytes) {
    for (int i = 0; i < buffers; i++) {
      Slot slot = (Slot) still.allocate(bytes);
      if (i < keep) {
        held.add(slot);
      } else {
        slot.release();
      }
    }
  }

  /** Leaks tracked buffers at one site, and returns when the detector has found them. */
  void leak(int buffers, int bytes) {
    for (int i = 0; i < buffers; i++) {
      LeakTracker<Object> unused = detector.track(new Object(), sample(bytes));
    }
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (store.entries().stream().mapToLong(e -> e.found()).sum() < buffers) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("leaks not noticed");
      }
      System.gc();
      detector.poll();
    }
  }

  private static Sample sample(int bytes) {
    return Sample.byBytes("direct", Sample.POOLED, bytes, bytes, bytes);
  }

  private void work() {
    int turn = 0;
    while (!closed) {
      for (BufferPool pool : List.of(direct, heap)) {
        int bytes = SIZES[turn++ % SIZES.length];
        Slot slot = (Slot) pool.allocate(bytes);
        LeakTracker<Slot> tracker = detector.track(slot, sample(bytes));
        served.incrementAndGet();
        slot.release();
        tracker.close(slot);
      }
      if (turn % 100 == 0) {
        direct.trimCurrentThreadCache();
      }
    }
  }

  @Override
  public HostReport report() {
    return new HostReport(
        Reports.identity("loaded"),
        System.currentTimeMillis(),
        0,
        List.of(
            new PoolReport(
                "busy",
                "4.2.18.Final",
                "swap",
                "",
                List.of(direct.snapshot(), heap.snapshot()),
                served.get(),
                0,
                0,
                detector.report("simple", 0, StackDetail.FRAMES),
                detector.live(524_288, StackDetail.FRAMES),
                NettyReport.NONE,
                ModeChange.UNKNOWN,
                List.of()),
            new PoolReport(
                "still",
                "",
                "swap",
                "",
                List.of(still.snapshot()),
                0,
                0,
                0,
                LeakReport.EMPTY,
                LiveReport.EMPTY,
                NettyReport.NONE,
                ModeChange.UNKNOWN,
                List.of()),
            Reports.observed()));
  }

  @Override
  public List<CopyChunks> chunks() {
    return List.of(
        new CopyChunks("busy", direct.chunkMap()),
        new CopyChunks("busy", heap.chunkMap()),
        new CopyChunks("still", still.chunkMap()));
  }

  void stop() throws InterruptedException {
    closed = true;
    load.join();
    held.forEach(Slot::release);
    direct.close();
    heap.close();
    still.close();
  }
}

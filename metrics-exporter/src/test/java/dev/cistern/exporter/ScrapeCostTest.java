/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.testing.GarbageCollection;
import dev.cistern.testing.Latches;
import dev.cistern.util.ResourceLeakDetector;
import example.shop.Stock;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The cost of a scrape for the host, with pools of 64 arenas and 200 thread caches, and with leaks
 * and live buffers of many deep stacks.
 */
@Tag("alone")
@Tag("full")
class ScrapeCostTest {
  private static final int ARENAS = 64;
  private static final int THREADS = 200;
  private static final int SCRAPES = 2_000;

  /** Number of stacks of each of the two sites. */
  private static final int STACKS = 100;

  /** The recorder cuts outer frames, so that no more stacks differ. */
  private static final int MAX_FRAMES = 100;

  private static final double MAX_MEDIAN_MILLIS = 5;
  private static final long MAX_ALLOCATED_BYTES = 512 << 10;

  private final PooledByteBufAllocator allocator =
      new PooledByteBufAllocator(true, ARENAS, ARENAS, 8192, 9);
  private final Stock stock = new Stock(allocator);
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  @BeforeEach
  void fillThreadCaches() {
    CountDownLatch filled = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> fillCache(filled), "cached-" + i);
      thread.start();
      threads.add(thread);
    }
    Latches.await(filled, 60);
  }

  private void fillCache(CountDownLatch filled) {
    for (int size = 16; size <= 1 << 16; size *= 2) {
      ByteBuf direct = allocator.directBuffer(size);
      ByteBuf heap = allocator.heapBuffer(size);
      direct.release();
      heap.release();
    }
    filled.countDown();
    Latches.await(end, 600);
  }

  @BeforeEach
  void fillStores() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID); // watches each buffer
    for (int depth = 1; depth <= STACKS; depth++) {
      stock.takeHere(depth);
      stock.takeThere(depth);
    }
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    GarbageCollection.until(
        () ->
            LibraryLeaks.SHARED.leaks(StackDetail.FRAMES).entries().size() >= MAX_FRAMES
                && LibraryLeaks.SHARED.live(StackDetail.FRAMES).stacks().size() >= MAX_FRAMES);
  }

  @AfterEach
  void emptyStores() {
    stock.giveBack();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterEach
  void stop() throws InterruptedException {
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void aScrapeTakesLessThanFiveMillisAnd512KiBBeyondItsResponse() throws IOException {
    AllocatorSource source = new AllocatorSource("cost").add("buffers", allocator);
    CisternCollector collector = new CisternCollector(source);
    PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    ByteArrayOutputStream response = new ByteArrayOutputStream(1 << 16);
    ThreadMXBean threadBean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double[] millis = new double[SCRAPES];
    long[] allocated = new long[SCRAPES];
    for (int i = 0; i < SCRAPES; i++) {
      response.reset();
      long before = threadBean.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      writer.write(response, collector.collect(), EscapingScheme.UNDERSCORE_ESCAPING);
      millis[i] = (System.nanoTime() - start) / 1e6;
      allocated[i] = threadBean.getCurrentThreadAllocatedBytes() - before;
    }
    Arrays.sort(millis);
    Arrays.sort(allocated);
    System.out.printf(
        Locale.ROOT,
        "scrape of %d + %d arenas, %d threads, %d stacks: median %.2f ms, 99th percentile %.2f ms,"
            + " %,d bytes allocated for a response of %,d%n",
        ARENAS,
        ARENAS,
        THREADS,
        LibraryLeaks.SHARED.leaks(StackDetail.FRAMES).entries().size()
            + LibraryLeaks.SHARED.live(StackDetail.FRAMES).stacks().size(),
        millis[SCRAPES / 2],
        millis[SCRAPES * 99 / 100],
        allocated[SCRAPES / 2],
        response.size());
    assertThat(source.report().copies().get(0).pools())
        .allMatch(pool -> pool.threadCaches() >= THREADS && pool.arenas() == ARENAS);
    assertThat(millis[SCRAPES / 2]).isLessThan(MAX_MEDIAN_MILLIS);
    assertThat(allocated[SCRAPES / 2]).isLessThan(MAX_ALLOCATED_BYTES);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether threads that allocate slow down where somebody scrapes every 100 ms: in one JVM, time
 * slices with and without scrapes take turns in random order, and each pair gives a ratio. The long
 * form measures; the short one only sees that nothing is badly wrong.
 */
class ScrapeInterferenceTest {
  private static final boolean IS_LONG = Boolean.getBoolean("cistern.long");
  private static final int PAIRS = IS_LONG ? 60 : 6;
  private static final int WARM_UP_PAIRS = IS_LONG ? 10 : 2;
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(IS_LONG ? 500 : 300);
  private static final long SCRAPE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final double LEAST_RATIO = IS_LONG ? 0.99 : 0.5;
  private static final int BATCH = 1_000;

  private final PooledByteBufAllocator allocator =
      new PooledByteBufAllocator(true, 16, 16, 8192, 9);
  private volatile boolean isOver;
  private AtomicLongArray done = new AtomicLongArray(0);

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aScrapeEvery100MillisDoesNotSlowAllocatingThreadsDown(int threads) throws Exception {
    done = new AtomicLongArray(threads * 16);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int place = i * 16;
      Thread worker = new Thread(() -> allocate(place), "allocating-" + i);
      worker.start();
      workers.add(worker);
    }
    AllocatorSource source = new AllocatorSource("busy").add("buffers", allocator);
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", source)) {
      double[] ratios = ratios(server.port());
      Arrays.sort(ratios);
      double median = ratios[ratios.length / 2];
      double[] interval = interval(ratios);
      System.out.printf(
          Locale.ROOT,
          "%d threads, a scrape every 100 ms: throughput ratio %.4f (95 %%: %.4f to %.4f)%n",
          threads,
          median,
          interval[0],
          interval[1]);
      assertThat(IS_LONG ? interval[1] : median).isGreaterThanOrEqualTo(LEAST_RATIO);
    } finally {
      isOver = true;
      for (Thread worker : workers) {
        worker.join();
      }
    }
  }

  private void allocate(int place) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    while (!isOver) {
      for (int i = 0; i < BATCH; i++) {
        ByteBuf buffer = allocator.directBuffer(16 << random.nextInt(10));
        buffer.writeLong(i);
        buffer.release();
      }
      done.lazySet(place, done.getPlain(place) + BATCH);
    }
  }

  /** With scrapes over without, a ratio for each pair of slices. */
  private double[] ratios(int port) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest scrape =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    double[] ratios = new double[PAIRS];
    for (int pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
      boolean scrapedFirst = random.nextBoolean();
      double first = slice(scrapedFirst ? client : null, scrape);
      double second = slice(scrapedFirst ? null : client, scrape);
      if (pair >= 0) {
        ratios[pair] = scrapedFirst ? first / second : second / first;
      }
    }
    return ratios;
  }

  /** Allocations in a nanosecond during one slice. */
  private double slice(HttpClient client, HttpRequest scrape) throws Exception {
    long start = System.nanoTime();
    long before = sum();
    for (long next = start;
        System.nanoTime() - start < SLICE_NANOS;
        next += SCRAPE_INTERVAL_NANOS) {
      if (client != null) {
        assertThat(client.send(scrape, HttpResponse.BodyHandlers.discarding()).statusCode())
            .isEqualTo(200);
      }
      LockSupport.parkNanos(next + SCRAPE_INTERVAL_NANOS - System.nanoTime());
    }
    return (double) (sum() - before) / (System.nanoTime() - start);
  }

  private long sum() {
    long sum = 0;
    for (int i = 0; i < done.length(); i += 16) {
      sum += done.get(i);
    }
    return sum;
  }

  /** Of the median, by ranks of the sorted ratios. */
  private static double[] interval(double[] sorted) {
    int n = sorted.length;
    int half = (int) Math.ceil(0.98 * Math.sqrt(n));
    return new double[] {sorted[Math.max(0, n / 2 - half)], sorted[Math.min(n - 1, n / 2 + half)]};
  }
}

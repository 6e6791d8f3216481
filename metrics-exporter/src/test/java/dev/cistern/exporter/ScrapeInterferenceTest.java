/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.testing.TestLength;
import dev.cistern.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures whether a scrape every 100 ms slows down threads that allocate. In one JVM, time slices
 * with and without scrapes alternate in random order, and each pair gives a ratio. The long form
 * measures; the short form only detects large effects.
 */
@Tag("alone")
@Tag("full")
class ScrapeInterferenceTest {
  private static final boolean IS_LONG = TestLength.isLong();
  private static final int PAIRS = IS_LONG ? 60 : 6;

  /**
   * Enough scrapes for the compiler to finish: without a free processor, its work would be part of
   * the result.
   */
  private static final int WARM_UP_SCRAPES = IS_LONG ? 500 : 0;

  private static final int WARM_UP_PAIRS = IS_LONG ? 10 : 2;
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(IS_LONG ? 500 : 300);
  private static final long SCRAPE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final double MIN_RATIO = IS_LONG ? 0.99 : 0.5;
  private static final int BATCH = 1_000;

  private final PooledByteBufAllocator allocator =
      new PooledByteBufAllocator(true, 16, 16, 8192, 9);
  private volatile boolean isOver;
  private AtomicLongArray done = new AtomicLongArray(0);

  /** Sets the level to the default, because tests have another one. */
  @BeforeEach
  void watchBuffers() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
  }

  @AfterEach
  void watchNoBuffers() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

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
      assertThat(median).isGreaterThanOrEqualTo(MIN_RATIO);
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

  /**
   * Returns the throughput with scrapes divided by the throughput without, for each pair of slices.
   */
  private double[] ratios(int port) throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    double[] ratios = new double[PAIRS];
    try (LightClient client = new LightClient(port)) {
      for (int i = 0; i < WARM_UP_SCRAPES; i++) {
        assertThat(client.scrape()).startsWith("HTTP/1.1 200 ");
      }
      for (int pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
        boolean scrapedFirst = random.nextBoolean();
        double first = slice(scrapedFirst ? client : null);
        double second = slice(scrapedFirst ? null : client);
        if (pair >= 0) {
          ratios[pair] = scrapedFirst ? first / second : second / first;
        }
      }
    }
    return ratios;
  }

  /** Returns the allocations per nanosecond in one slice. */
  private double slice(LightClient client) throws Exception {
    long start = System.nanoTime();
    long before = sum();
    for (long next = start;
        System.nanoTime() - start < SLICE_NANOS;
        next += SCRAPE_INTERVAL_NANOS) {
      if (client != null) {
        assertThat(client.scrape()).startsWith("HTTP/1.1 200 ");
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

  /**
   * A client with very little work: if the workers use all processors, the work of the client would
   * be part of the result.
   */
  private static final class LightClient implements AutoCloseable {
    private static final byte[] REQUEST =
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

    private final Socket socket;
    private final byte[] read = new byte[1 << 18];

    LightClient(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
    }

    /** Reads a whole response, and returns its headers. */
    String scrape() throws IOException {
      socket.getOutputStream().write(REQUEST);
      int length = 0;
      int end = -1;
      while (end < 0) {
        length += more(length);
        end = headersEnd(length);
      }
      String headers = new String(read, 0, end, StandardCharsets.US_ASCII);
      Matcher bodyLength = LENGTH.matcher(headers);
      assertThat(bodyLength.find()).isTrue();
      for (int whole = end + Integer.parseInt(bodyLength.group(1)); length < whole; ) {
        length += more(length);
      }
      return headers;
    }

    private int more(int at) throws IOException {
      int count = socket.getInputStream().read(read, at, read.length - at);
      assertThat(count).isPositive();
      return count;
    }

    private int headersEnd(int length) {
      for (int i = 3; i < length; i++) {
        if (read[i] == '\n' && read[i - 1] == '\r' && read[i - 2] == '\n') {
          return i + 1;
        }
      }
      return -1;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Returns the 95 % confidence interval of the median, by ranks of the sorted ratios. */
  private static double[] interval(double[] sorted) {
    int n = sorted.length;
    int half = (int) Math.ceil(0.98 * Math.sqrt(n));
    return new double[] {sorted[Math.max(0, n / 2 - half)], sorted[Math.min(n - 1, n / 2 + half)]};
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.awaitility.Awaitility.await;

import dev.cistern.dashboards.LiveHost.Plan;
import dev.cistern.demo.Exposition;
import dev.cistern.demo.HttpConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/**
 * Processes in different states, all under load.
 *
 * <table>
 * <caption>The processes</caption>
 * <tr><td>shop<td>is healthy; Netty 4.1, with metrics of single arenas and sizes
 * <tr><td>search<td>is healthy; Netty 4.2
 * <tr><td>observed<td>is healthy; Netty keeps its own allocators
 * <tr><td>leaky<td>leaks, until its direct memory is nearly used up
 * <tr><td>hoarder<td>keeps the memory of a burst, has too many series
 * <tr><td>uploads<td>allocates more than its caches serve
 * <tr><td>doomed<td>is killed
 * <tr><td>frozen<td>is suspended
 * <tr><td>retired<td>ends normally, before the measurement
 * </table>
 */
final class Scenario implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int UPLOADS = 2;
  private static final int BURST = 46;

  /**
   * Size of small bodies: runs of pages, so that each chunk has some. Slots of subpages would share
   * a few chunks.
   */
  private static final int SMALL_BYTES = 200_000;

  /** Reserved bytes that are 512 MiB more than four times the bytes in use, with a margin. */
  private static final double MUCH_BYTES = 640 << 20;

  /** Size of large bodies: nearly half a chunk of the hoarder. */
  private static final int LARGE_BYTES = 15 << 19;

  private static final int AMPLE_MEBIBYTES = 256;
  private static final int SHORT_MEBIBYTES = 130;

  /**
   * Fraction of the limit at which the leak ends; the pool's next chunk is a hundredth of the
   * limit.
   */
  private static final double NEARLY_FULL = 0.91;

  private static final Plan SHOP =
      new Plan("shop", "4.1", ",detail=all,percent=80", AMPLE_MEBIBYTES);
  private static final Plan OBSERVED =
      new Plan("observed", "4.1", ",mode=observe", AMPLE_MEBIBYTES);
  private static final Plan LEAKY = new Plan("leaky", "4.1", ",chunkBytes=1m", SHORT_MEBIBYTES);

  /** Without samples. Otherwise chance decides whether its unread bodies become a finding. */
  private static final Plan HOARDER =
      new Plan("hoarder", "4.1", ",chunkBytes=16m,seriesLimit=100,sampleIntervalBytes=0", 1_536);

  /** Its chunks are so small that a buffer of 64 KiB is a run of pages. */
  private static final Plan UPLOADED =
      new Plan("uploads", "4.1", ",chunkBytes=1m", AMPLE_MEBIBYTES);

  private static final Plan DOOMED = new Plan("doomed", "4.1", "", AMPLE_MEBIBYTES);
  private static final Plan FROZEN = new Plan("frozen", "4.2", "", AMPLE_MEBIBYTES);
  private static final Plan RETIRED = new Plan("retired", "4.2", "", AMPLE_MEBIBYTES);

  private final Path statsFiles;
  private final List<LiveHost> hosts = new ArrayList<>();
  private final List<HttpConnection> slowClients = new ArrayList<>();
  private final Thread leakWatch = new Thread(this::leakUntilNearlyFull, "leak-watch");
  private volatile boolean closed;
  private @Nullable SteadyRequests wellCached;

  private Scenario(Path statsFiles) {
    this.statsFiles = statsFiles;
  }

  /**
   * Starts all processes, without load yet.
   *
   * @param statsFiles directory of their stats files
   */
  static Scenario start(Path statsFiles, Path directory) throws IOException, InterruptedException {
    Scenario scenario = new Scenario(statsFiles);
    try {
      for (Plan plan :
          List.of(SHOP, search(directory), OBSERVED, LEAKY, HOARDER, UPLOADED, DOOMED, FROZEN)) {
        scenario.hosts.add(plan.start(statsFiles));
      }
      return scenario;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      scenario.close();
      throw e;
    }
  }

  /** Returns a plan with a web configuration, which has additional metrics. */
  private static Plan search(Path directory) throws IOException {
    String limit = "rate_limit:\n  interval: 10ms\n  burst: 100\n";
    Path file = Files.writeString(directory.resolve("web.yaml"), limit);
    return new Plan("search", "4.2", ",webConfig=" + file, AMPLE_MEBIBYTES);
  }

  /** Starts a process, ends it normally, and returns when the sidecar has seen the end. */
  void liveAndRetire(LiveSidecar sidecar) throws IOException, InterruptedException {
    try (LiveHost retired = RETIRED.start(statsFiles)) {
      retired.get("/plaintext");
      await().atMost(LIMIT).until(() -> sidecar.metrics().contains("application=\"retired\""));
    }
    await()
        .atMost(LIMIT)
        .until(
            () ->
                Exposition.parse(sidecar.metrics())
                        .sum("cistern_host_exited_cleanly", "application", "retired")
                    == 1);
  }

  void startLoad() throws IOException {
    for (String application : List.of("shop", "search", "observed", "doomed", "frozen")) {
      host(application).mixedLoad(30);
    }
    wellCached = host("uploads").load(to -> to.get("/chunked?chunks=1024&size=16"), 4);
    // Each scrape must see buffers in use.
    for (String application : List.of("shop", "search", "observed")) {
      slowClients.add(unfinished(application, 2 << 20));
    }
    LiveHost leaky = host("leaky");
    leaky.load(to -> to.get("/plaintext"), 20);
    leaky.load(to -> to.get("/gc"), 0.2);
    leakWatch.setDaemon(true);
    leakWatch.start();
  }

  /** Sends large bodies, which are read into more runs of pages than a thread cache keeps. */
  void allocatePastTheCaches() {
    Objects.requireNonNull(wellCached, "load").close();
    byte[] body = new byte[LARGE_BYTES];
    for (int i = 0; i < UPLOADS; i++) {
      host("uploads").load(to -> to.post("/plaintext", body), 10);
    }
  }

  /**
   * Sends the hoarder many requests without an end, then closes the large ones. The small ones
   * between them keep a part of each chunk in use. This runs before the first scrape, which would
   * otherwise see all of these buffers in use. Each kind has two requests in a row, because two
   * event loops accept connections in turn, each with separate chunks.
   */
  void burst() throws IOException {
    List<HttpConnection> large = new ArrayList<>();
    try {
      for (int i = 0; i < BURST; i++) {
        large.add(unfinished("hoarder", LARGE_BYTES));
        large.add(unfinished("hoarder", LARGE_BYTES));
        slowClients.add(unfinished("hoarder", SMALL_BYTES));
        slowClients.add(unfinished("hoarder", SMALL_BYTES));
      }
      awaitHoarder("cistern_pinned_bytes", bytes -> bytes >= BURST * 2.0 * LARGE_BYTES);
    } finally {
      for (HttpConnection client : large) {
        client.close();
      }
    }
    awaitHoarder("cistern_pinned_bytes", bytes -> bytes < BURST * 4.0 * SMALL_BYTES);
    awaitHoarder("cistern_reserved_bytes", bytes -> bytes > MUCH_BYTES);
  }

  /**
   * Opens a connection with a request whose last byte is missing: the host must keep the other
   * bytes.
   */
  private HttpConnection unfinished(String application, int bytes) throws IOException {
    HttpConnection client = host(application).connect();
    String head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: " + (bytes + 1) + "\r\n\r\n";
    client.send(head.getBytes(StandardCharsets.US_ASCII));
    client.send(new byte[bytes]);
    return client;
  }

  private void awaitHoarder(String metric, DoublePredicate filter) {
    await()
        .atMost(LIMIT)
        .until(
            () -> host("hoarder").metrics().scrape().sum(metric, "memory", "direct"), filter::test);
  }

  /**
   * Leaks buffers until the limit is nearly used up, slowly enough that sampling treats them as
   * usual.
   */
  private void leakUntilNearlyFull() {
    LiveHost leaky = host("leaky");
    try {
      while (!closed && !isNearlyFull(leaky)) {
        for (int i = 0; i < 4; i++) {
          leaky.get("/leak?count=10&size=32768");
          TimeUnit.MILLISECONDS.sleep(220);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      System.out.println("the leak ends early, no memory is left: " + e + leaky.errors());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether the limit is nearly used up, without the free bytes of the pool, as in the
   * alert. Before its first buffer, a host reports no limit.
   */
  private static boolean isNearlyFull(LiveHost host) throws IOException {
    Exposition scrape = host.metrics().scrape();
    double limit = scrape.sum("cistern_limit_bytes", "memory", "direct");
    double used = scrape.sum("cistern_limit_used_bytes", "memory", "direct");
    double free = scrape.sum("cistern_free_bytes", "memory", "direct");
    return limit > 0 && used - free > NEARLY_FULL * limit;
  }

  LiveHost host(String application) {
    return hosts.stream()
        .filter(host -> host.application().equals(application))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the ports of the agents' endpoints. */
  List<Integer> metricsPorts() {
    return hosts.stream().map(LiveHost::metricsPort).toList();
  }

  /** Returns the number of all processes, including the ended one. */
  int size() {
    return hosts.size() + 1;
  }

  /** Returns the number of processes that run or are suspended. */
  long alive() {
    return hosts.stream().filter(LiveHost::isAlive).count();
  }

  @Override
  public void close() {
    closed = true;
    hosts.forEach(LiveHost::close);
    for (HttpConnection client : slowClients) {
      try {
        client.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

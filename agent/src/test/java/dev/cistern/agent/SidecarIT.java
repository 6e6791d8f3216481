/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts under load are ended at random moments, in every way that a JVM can end. The sidecar shows
 * the end and the known leaks.
 */
@Tag("smoke")
@Tag("alone")
class SidecarIT {
  private static final int KILLS = TestLength.choose(1, 8, 100);
  private static final int HOSTS_AT_A_TIME = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Limit of the time until the sidecar shows the end. Only the long form runs on a machine without
   * other load.
   */
  private static final Duration DOWN_LIMIT = Duration.ofSeconds(TestLength.choose(60, 30, 5));

  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(TestLength.choose(4, 4, 2));
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MAX_WAIT_MILLIS = 3_000;
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup/memory");
  private static final long CGROUP_BYTES = 200L << 20;

  @TempDir(factory = SharedMemory.class)
  private Path folder;

  /** How a host ends. */
  private enum End {
    KILLED,
    TERMINATED,
    HEAP_FULL,
    CGROUP_FULL
  }

  /** The series of a host in a scrape. */
  private record Scrape(Map<String, Double> series) {
    double leaks() {
      return series.entrySet().stream()
          .filter(entry -> entry.getKey().startsWith("cistern_leaks_total{"))
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void everyEndOfAHostIsShownWithItsKnownLeaks() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    ExecutorService rounds = Executors.newFixedThreadPool(HOSTS_AT_A_TIME);
    try (SidecarJvm sidecar = new SidecarJvm(folder)) {
      List<Future<Long>> ends = new ArrayList<>();
      for (int round = 0; round < KILLS; round++) {
        End end = End.values()[round % End.values().length];
        String name = "doomed-" + round;
        int waitMillis = random.nextInt(MAX_WAIT_MILLIS);
        ends.add(rounds.submit(round(sidecar, name, end, waitMillis)));
      }
      long longest = 0;
      for (Future<Long> each : ends) {
        longest = Math.max(longest, each.get());
      }
      System.out.printf(
          Locale.ROOT, "%d ends, the longest until it was seen: %d ms%n", KILLS, longest);
      assertThat(sidecar.isAlive()).isTrue();
      assertThat(sidecar.get("/postmortem/")).containsPattern("^" + KILLS + " post-mortems?,");
      assertThat(sidecar.get("/metrics"))
          .contains("cistern_sidecar_failures_total 0.0", "cistern_sidecar_files_refused 0.0");
    } finally {
      rounds.shutdownNow();
      assertThat(rounds.awaitTermination(1, TimeUnit.MINUTES)).as("no host is left").isTrue();
    }
  }

  /**
   * Returns a round of one host. Its result is the milliseconds from the end of the host until the
   * sidecar shows it.
   */
  private Callable<Long> round(SidecarJvm sidecar, String name, End requested, int waitMillis) {
    return () -> {
      Path cgroup = requested == End.CGROUP_FULL ? cgroup(name) : null;
      End end = requested == End.CGROUP_FULL && cgroup == null ? End.KILLED : requested;
      try (RunningHost host = host(name, end, cgroup)) {
        Watch watch = new Watch(sidecar, name, AgentEndpoint.of(host));
        watch.untilLeaksAreKnown();
        watch.during(waitMillis);
        end(host, end);
        long endNanos = System.nanoTime();
        watch.untilItIsDown(endNanos, end);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endNanos);
      } finally {
        if (cgroup != null) {
          await().atMost(PATIENCE).ignoreExceptions().until(() -> Files.deleteIfExists(cgroup));
        }
      }
    };
  }

  private static Path cgroup(String name) throws IOException {
    Path cgroup = CGROUPS.resolve("cistern-" + ProcessHandle.current().pid() + "-" + name);
    if (!Files.isWritable(CGROUPS)) {
      System.out.println("no memory cgroup here: killed instead");
      return null;
    }
    Files.createDirectory(cgroup);
    Files.writeString(cgroup.resolve("memory.limit_in_bytes"), String.valueOf(CGROUP_BYTES));
    return cgroup;
  }

  private RunningHost host(String name, End end, Path cgroup) throws IOException {
    HostJvm host =
        HostJvm.netty("4.1")
            .main("example.host.Doomed")
            .agent(
                AgentEndpoint.LISTEN
                    + ",leakSamplingInterval=16,application="
                    + name
                    + ",statsDirectory="
                    + folder);
    if (end == End.HEAP_FULL) {
      host.option("-XX:+ExitOnOutOfMemoryError", "-Xmx64m");
    }
    if (cgroup != null) {
      host.option("-Xmx2g");
      host.startedBy(
          List.of(
              "sh", "-c", "echo $$ > " + cgroup.resolve("cgroup.procs") + "; exec \"$@\"", "sh"));
    }
    return host.start();
  }

  private static void end(RunningHost host, End end) throws Exception {
    switch (end) {
      case KILLED -> host.kill();
      case TERMINATED -> host.terminate();
      case HEAP_FULL, CGROUP_FULL -> host.fillHeapUntilItEnds();
    }
  }

  /** The scrapes of one host from the sidecar. No counter may decrease. */
  private static final class Watch {
    private final SidecarJvm sidecar;
    private final String name;
    private final AgentEndpoint own;
    private final List<Scrape> scrapes = new ArrayList<>();

    /** Number of leaks that the host itself reported, by time. */
    private final NavigableMap<Long, Double> reportedLeaks = new TreeMap<>();

    Watch(SidecarJvm sidecar, String name, AgentEndpoint own) {
      this.sidecar = sidecar;
      this.name = name;
      this.own = own;
    }

    private Scrape look() throws IOException, InterruptedException {
      Map<String, Double> series = new HashMap<>();
      sidecar
          .get("/metrics")
          .lines()
          .filter(line -> line.contains("application=\"" + name + "\""))
          .forEach(
              line -> {
                int space = line.lastIndexOf(' ');
                series.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
              });
      Scrape scrape = new Scrape(series);
      if (!scrapes.isEmpty()) {
        checkNoCounterDecreased(scrapes.get(scrapes.size() - 1), scrape);
      }
      scrapes.add(scrape);
      return scrape;
    }

    private void checkNoCounterDecreased(Scrape before, Scrape now) {
      before
          .series()
          .forEach(
              (series, value) -> {
                if (series.contains("_total{") && now.series().containsKey(series)) {
                  assertThat(now.series().get(series)).as(series).isGreaterThanOrEqualTo(value);
                }
                if (series.startsWith("cistern_leaks_total{")) {
                  assertThat(now.series()).containsKey(series);
                }
              });
    }

    void untilLeaksAreKnown() {
      await().atMost(PATIENCE).until(() -> look().leaks() > 0);
    }

    /**
     * Continues to scrape for the wait and until known leaks are {@link #KNOWN_NANOS} old at the
     * end.
     */
    void during(int waitMillis) throws IOException, InterruptedException {
      long first = recordLeaks();
      long minNanos = KNOWN_NANOS + TimeUnit.MILLISECONDS.toNanos(waitMillis);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                look();
                return recordLeaks() - first > minNanos;
              });
    }

    /** Records the leaks that the host reports, and returns the time. */
    private long recordLeaks() throws IOException, InterruptedException {
      double leaks = own.sum("cistern_leaks_total");
      long now = System.nanoTime();
      reportedLeaks.put(now, leaks);
      return now;
    }

    void untilItIsDown(long endNanos, End end) throws IOException, InterruptedException {
      double known = reportedLeaks.floorEntry(endNanos - KNOWN_NANOS).getValue();
      await().atMost(DOWN_LIMIT).until(() -> value(look(), "cistern_host_up") == 0);
      Scrape last = scrapes.get(scrapes.size() - 1);
      assertThat(known).isPositive();
      assertThat(last.leaks())
          .as(name + ", " + end + ", leaks of the host until its end: " + reportedText(endNanos))
          .isGreaterThanOrEqualTo(known);
      assertThat(value(last, "cistern_host_exited_cleanly"))
          .isEqualTo(end == End.TERMINATED ? 1 : 0);
      String id =
          last.series().keySet().iterator().next().replaceAll("(?s).*host_id=\"(\\w+)\".*", "$1");
      assertThat(sidecar.get("/postmortem/" + id + "/leaks")).contains("Doomed.leak:");
      assertThat(sidecar.get("/postmortem/" + id + "/"))
          .contains(end == End.TERMINATED ? "has shut down" : "has died", "direct: reserved");
    }

    /** Returns the leaks that the host reported, each with the seconds to its end. */
    private String reportedText(long endNanos) {
      return reportedLeaks.entrySet().stream()
          .map(
              each ->
                  String.format(
                      Locale.ROOT,
                      "%.2f: %.0f",
                      (each.getKey() - endNanos) / NANOS_PER_SECOND,
                      each.getValue()))
          .collect(Collectors.joining(" "));
    }

    private double value(Scrape scrape, String metric) {
      return scrape.series().entrySet().stream()
          .filter(entry -> entry.getKey().startsWith(metric + "{"))
          .map(Map.Entry::getValue)
          .filter(Objects::nonNull)
          .findFirst()
          .orElse(-1.0);
    }
  }
}

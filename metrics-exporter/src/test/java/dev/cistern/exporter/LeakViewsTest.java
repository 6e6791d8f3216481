/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.metrics.LeakSiteSelector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.leak.MadeUpLeaks;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scrape, the state, and leaks as text and JSON count the same leaks, of more sites than a store
 * keeps. The process and its sidecar name the same sites, and no counter decreases.
 */
class LeakViewsTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);
  private static final int SITES = 900;
  private static final int LEAKS = 3_000;

  /** Number of leaks between two checks of all views. */
  private static final int LOOK_EVERY = 300;

  private static final int LATE_LINE = 7_777;
  private static final String LATE = "com.shop.Cart.add:" + LATE_LINE;
  private static final Pattern TOGETHER =
      Pattern.compile("  Together: ([0-9,]+) found, an estimated .* with (.*) of (.*) memory");
  private static final Pattern SERIES =
      Pattern.compile(
          "(cistern_leak[a-z_]+_total)\\{.*memory=\"(\\w+)\",pool=\"io.netty\",site=\"(.*)\"}"
              + " (.*)");

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final MadeUpLeaks leaks = new MadeUpLeaks();
  private final Map<String, Total> truth = new TreeMap<>();

  /** Series after the last leak: values by name, memory and site. */
  private Map<String, Double> before = Map.of();

  /**
   * Leaks and leaked bytes of one kind of memory; {@code bytesText} has the bytes in the format of
   * a terminal.
   */
  private record Total(long found, String bytesText, double bytes) {
    static Total of(long found, double bytes) {
      return new Total(found, TextFormat.bytes(bytes), bytes);
    }

    Total plus(Total other) {
      return of(found + other.found, bytes + other.bytes);
    }
  }

  private HostReport host(StackDetail detail) {
    return Reports.host(Reports.copy("io.netty", leaks.report(detail), LiveReport.EMPTY));
  }

  private void leak(String memory, int line, int callerLine, int bytes, long leakBytes) {
    leaks.add(memory, line, callerLine, bytes, leakBytes);
    truth.merge(memory, Total.of(1, (double) leakBytes), Total::plus);
  }

  private void leakAnywhere() {
    int line = 1 + random.nextInt(SITES);
    int bytes = 1 + random.nextInt(1 << random.nextInt(4, 22));
    String memory = line % 3 == 0 ? "heap" : "direct";
    leak(memory, line, 1 + random.nextInt(3), bytes, Math.max(bytes, 512 << 10));
  }

  @Test
  void allViewsCountTheSameLeaksNameTheLargestAndNeverGoBack() throws Exception {
    for (int i = 1; i <= LEAKS; i++) {
      leakAnywhere();
      checkCounters(host(StackDetail.SITE), i);
      if (i % LOOK_EVERY == 0) {
        checkViews(host(StackDetail.FRAMES), i, false);
      }
    }
    assertThat(leaks.report(StackDetail.SITE).foundOfOthers()).isPositive();
    leak("direct", LATE_LINE, 1, 1 << 30, 1L << 35);
    checkCounters(host(StackDetail.SITE), LEAKS + 1);
    checkViews(host(StackDetail.FRAMES), LEAKS + 1, true);
  }

  /**
   * Returns the series of a scrape of a report; {@link #checkMetrics} compares them with a real
   * scrape.
   */
  private static Map<String, Double> series(CopyView copy) {
    Map<String, Double> series = new LinkedHashMap<>();
    for (LeakSiteSelector.Series each : LeakSiteSelector.of(copy, SeriesOptions.DEFAULT_SITES)) {
      String labels = each.memory() + ' ' + each.site();
      series.put("cistern_leaks_total " + labels, (double) each.leaks());
      series.put("cistern_leaked_bytes_total " + labels, (double) each.bytes());
    }
    return series;
  }

  private void checkCounters(HostReport report, int leak) {
    String step = "seed %d, leak %d: ".formatted(SEED, leak);
    Map<String, Double> now = series(HostView.of(report).copies().get(0));
    before.forEach(
        (series, value) -> {
          double last = now.getOrDefault(series, Double.POSITIVE_INFINITY); // no longer named
          assertThat(last).as(step + series).isGreaterThanOrEqualTo(value);
        });
    assertThat(sites(now)).hasSizeLessThanOrEqualTo(SeriesOptions.DEFAULT_SITES);
    before = now;
  }

  private static Set<String> sites(Map<String, Double> series) {
    Set<String> sites = new HashSet<>();
    for (String key : series.keySet()) {
      if (!key.endsWith(SiteLabel.OTHER)) {
        sites.add(key.substring(key.indexOf(' ')));
      }
    }
    return sites;
  }

  private static Map<String, Double> series(String scrape) {
    Map<String, Double> series = new LinkedHashMap<>();
    Matcher matcher = SERIES.matcher(scrape);
    while (matcher.find()) {
      String key = matcher.group(1) + ' ' + matcher.group(2) + ' ' + matcher.group(3);
      assertThat(series.put(key, Double.valueOf(matcher.group(4)))).as(key).isNull();
    }
    return series;
  }

  private static String body(RawHttp client, String path) throws Exception {
    String response = client.send("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assertThat(response).startsWith("HTTP/1.1 200");
    return response.split("\r\n\r\n", 2)[1];
  }

  private static JsonObject leaksJson(RawHttp client) throws Exception {
    String json = body(client, "/leaks?format=json");
    return JsonParser.object().from(json).getArray("pools").getObject(0);
  }

  private static JsonObject stateOfLeaks(RawHttp client) throws Exception {
    JsonObject host = JsonParser.object().from(body(client, "/state")).getObject("host");
    return host.getArray("copies").getObject(0);
  }

  private void checkViews(HostReport report, int leak, boolean isLateFirst) throws Exception {
    String step = "seed %d, leak %d".formatted(SEED, leak);
    checkSidecar(report);
    // a new server each time, because a server reuses /state for a second
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", () -> report)) {
      RawHttp client = RawHttp.plain(server.port());
      checkMetrics(client, step);
      checkJson(client, step);
      checkState(client, step);
      checkText(client, step);
      if (isLateFirst) {
        checkLateIsFirst(client);
      }
    }
  }

  private void checkMetrics(RawHttp client, String step) throws Exception {
    Map<String, Double> series = series(body(client, "/metrics"));
    assertThat(series).as(step).isEqualTo(before);
    Map<String, Total> metrics = new TreeMap<>();
    series.forEach(
        (key, value) -> {
          boolean isBytes = key.startsWith("cistern_leaked_bytes");
          Total total = isBytes ? Total.of(0, value) : Total.of(value.longValue(), 0);
          metrics.merge(key.split(" ", -1)[1], total, Total::plus);
        });
    assertThat(metrics).as("metrics, " + step).isEqualTo(truth);
  }

  private void checkJson(RawHttp client, String step) throws Exception {
    JsonObject json = leaksJson(client);
    assertThat(sums(json.getArray("leaks"), json.getArray("others"), "estimated_bytes"))
        .as("leaks JSON, " + step)
        .isEqualTo(sums(json.getArray("totals"), new JsonArray(), "estimated_bytes"))
        .isEqualTo(truth);
    assertThat(named(json.getArray("ranked"))).as(step).isEqualTo(withoutOther(before));
  }

  private void checkState(RawHttp client, String step) throws Exception {
    JsonObject state = stateOfLeaks(client);
    Map<String, Total> sums = new TreeMap<>();
    for (String part : new String[] {"leak_sites", "other_leaks"}) {
      add(sums, state.getArray(part), "leaks", "leaked_bytes");
    }
    assertThat(sums).as("state, " + step).isEqualTo(truth);
  }

  private void checkText(RawHttp client, String step) throws Exception {
    Map<String, String> text = new TreeMap<>();
    Matcher together = TOGETHER.matcher(body(client, "/leaks?full=true"));
    while (together.find()) {
      text.put(together.group(3), together.group(1) + " with " + together.group(2));
    }
    Map<String, String> expected = new TreeMap<>();
    truth.forEach(
        (memory, total) ->
            expected.put(memory, TextFormat.count(total.found) + " with " + total.bytesText));
    assertThat(text).as("leaks text, " + step).isEqualTo(expected);
  }

  private static Map<String, Total> sums(JsonArray some, JsonArray more, String bytes) {
    Map<String, Total> sums = new TreeMap<>();
    add(sums, some, "found", bytes);
    add(sums, more, "found", bytes);
    return sums;
  }

  private static void add(Map<String, Total> to, JsonArray from, String found, String bytes) {
    for (int i = 0; i < from.size(); i++) {
      JsonObject entry = from.getObject(i);
      Total total = Total.of(entry.getLong(found), (double) entry.getLong(bytes));
      to.merge(entry.getString("memory"), total, Total::plus);
    }
  }

  /** Returns the leaked bytes in the JSON for the sites that have series. */
  private static Map<String, Double> named(JsonArray ranked) {
    Map<String, Double> named = new HashMap<>();
    for (int i = 0; i < ranked.size(); i++) {
      JsonObject leaks = ranked.getObject(i);
      if (leaks.getInt("place") < SeriesOptions.DEFAULT_SITES) {
        String key =
            "cistern_leaked_bytes_total "
                + leaks.getString("memory")
                + ' '
                + leaks.getString("site");
        named.merge(key, (double) leaks.getLong("estimated_bytes"), Double::sum);
      }
    }
    return named;
  }

  private static Map<String, Double> withoutOther(Map<String, Double> series) {
    Map<String, Double> named = new HashMap<>(series);
    named
        .keySet()
        .removeIf(
            key -> key.endsWith(SiteLabel.OTHER) || !key.startsWith("cistern_leaked_bytes_total"));
    return named;
  }

  private void checkSidecar(HostReport report) throws Exception {
    try (StatsFileWriter file =
        StatsFileWriter.create(directory, report.host(), StatsFileWriter.MAX_BYTES, 1_000)) {
      HostView written = HostView.of(report);
      file.write(written);
      HostView read = Objects.requireNonNull(new StatsFileReader().read(file.path()).report());
      assertThat(read.copies().get(0).leaks()).isEqualTo(written.copies().get(0).leaks());
      assertThat(series(read.copies().get(0))).isEqualTo(before);
    }
  }

  private void checkLateIsFirst(RawHttp client) throws Exception {
    assertThat(before)
        .containsEntry("cistern_leaks_total direct " + LATE, 1.0)
        .containsEntry("cistern_leaked_bytes_total direct " + LATE, (double) (1L << 35));
    assertThat(leaksJson(client).getArray("leaks").getObject(0).getString("site")).isEqualTo(LATE);
    assertThat(leaksJson(client).getArray("leaks").getObject(0).getArray("stack")).hasSize(2);
    assertThat(stateOfLeaks(client).getArray("leak_sites").getObject(0).getString("site"))
        .isEqualTo(LATE);
    assertThat(body(client, "/leaks")).contains("\n  1. " + LATE + " (");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a run of {@code demo --once}.
 *
 * @param nettyVersion version of the server's Netty
 * @param load report of the load
 * @param before scrape before the load
 * @param loaded scrape while the load ran
 * @param after scrape after the load and the leaks
 */
record Summary(
    String nettyVersion, LoadReport load, Exposition before, Exposition loaded, Exposition after) {

  /** Returns the number of allocations that Cistern served during the load. */
  double served() {
    return grown("cistern_allocations_total");
  }

  /** Returns the reason why this run failed, or null if it succeeded. */
  @Nullable String failure() {
    if (load.requests() == 0) {
      return "the server answered no request: " + load.firstFailure();
    }
    if (load.failures() > 0) {
      return load.failures() + " requests failed, the first with: " + load.firstFailure();
    }
    if (after.sumIfThere("cistern_allocations_total").isEmpty()) {
      return "/metrics shows no cistern_allocations_total: no pool is live (" + copies() + ")";
    }
    // Every request reads into one buffer and writes from another.
    if (served() < load.requests()) {
      return String.format(
          Locale.ROOT,
          "the pool served %,.0f allocations for %,d requests: it did not serve the server (%s)",
          served(),
          load.requests(),
          copies());
    }
    return null;
  }

  /** Returns the text to print. */
  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "server", "Netty " + nettyVersion + ": " + copies());
    line(
        text,
        "requests",
        "%,d answered in %.1f s (%,.0f/s), %,d failed",
        load.requests(),
        load.elapsed().toMillis() / 1e3,
        load.requestsPerSecond(),
        load.failures());
    line(text, "served by Cistern", "%,.0f allocations", served());
    double requests = grown("cistern_thread_cache_requests_total");
    double hits = grown("cistern_thread_cache_hits_total");
    line(
        text,
        "thread caches",
        "%,.0f requests, hit ratio %.2f %%",
        requests,
        requests == 0 ? 0 : 100 * hits / requests);
    bytes(text);
    leaks(text);
    return text.toString();
  }

  private void bytes(StringBuilder text) {
    line(text, "bytes", "%14s %14s %14s %14s", "reserved", "pinned", "cached", "free");
    for (String memory : after.sumBy("cistern_reserved_bytes", "memory").keySet()) {
      row(text, memory + ", loaded", loaded, memory);
      row(text, memory + ", at rest", after, memory);
    }
  }

  private static void row(StringBuilder text, String name, Exposition scrape, String memory) {
    line(
        text,
        "  " + name,
        "%,14.0f %,14.0f %,14.0f %,14.0f",
        scrape.sum("cistern_reserved_bytes", "memory", memory),
        scrape.sum("cistern_pinned_bytes", "memory", memory),
        scrape.sum("cistern_cached_bytes", "memory", memory),
        scrape.sum("cistern_free_bytes", "memory", memory));
  }

  private void leaks(StringBuilder text) {
    Map<String, Double> sites = after.sumBy("cistern_leaks_total", "site");
    Map<String, Double> bytes = after.sumBy("cistern_leaked_bytes_total", "site");
    // The series `other` exists before it counts any leak.
    sites.values().removeIf(count -> count == 0);
    line(text, "leaks by site", sites.isEmpty() ? "none found" : "samples, bytes (estimate)");
    sites.forEach(
        (site, count) ->
            line(text, "", "%,7.0f %,14.0f  %s", count, bytes.getOrDefault(site, 0.0), site));
  }

  private String copies() {
    StringBuilder copies = new StringBuilder();
    after
        .samples("cistern_netty_copy_info")
        .forEach(
            copy ->
                copies
                    .append(copies.length() == 0 ? "" : "; ")
                    .append(copy.label("pool"))
                    .append(" in mode ")
                    .append(copy.label("mode")));
    return copies.length() == 0 ? "the agent reports no copy of Netty" : copies.toString();
  }

  private double grown(String counter) {
    return after.sum(counter) - before.sum(counter);
  }

  private static void line(StringBuilder text, String name, String format, Object... values) {
    text.append(String.format(Locale.ROOT, "%-20s", name))
        .append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
        .append('\n');
  }
}

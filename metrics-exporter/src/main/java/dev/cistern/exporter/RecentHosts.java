/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The hosts as they were a moment ago: one look at them serves all that ask within that moment, so
 * that many who ask cost little more than one.
 */
final class RecentHosts implements Hosts {
  private final Hosts hosts;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;

  /** The last look, which the heap may have back. Guarded by this object's lock. */
  private SoftReference<Look> last = new SoftReference<>(null);

  /** What was seen at one moment; chunks and sites of those hosts only that somebody asked for. */
  private record Look(
      long atNanos,
      List<HostState> all,
      Map<String, List<CopyChunks>> chunks,
      Map<String, HostReport> sites) {}

  RecentHosts(Hosts hosts, long maxAgeNanos, LongSupplier nanoTime) {
    this.hosts = hosts;
    this.maxAgeNanos = maxAgeNanos;
    this.nanoTime = nanoTime;
  }

  @Override
  public synchronized List<HostState> all() {
    return look().all();
  }

  @Override
  public synchronized List<CopyChunks> chunks(String hostId) {
    Look look = look();
    List<CopyChunks> known = look.chunks().get(hostId);
    if (known == null && look.all().stream().anyMatch(host -> isOf(host, hostId))) {
      known = hosts.chunks(hostId);
      look.chunks().put(hostId, known);
    }
    return known == null ? List.of() : known;
  }

  @Override
  public synchronized HostReport sites(HostState state) throws IOException {
    Map<String, HostReport> sites = look().sites();
    String id = state.report().host().id();
    HostReport known = sites.get(id);
    if (known == null) {
      known = hosts.sites(state);
      sites.put(id, known);
    }
    return known;
  }

  private static boolean isOf(HostState host, String id) {
    return host.report().host().id().equals(id);
  }

  private Look look() {
    @Nullable Look known = last.get();
    if (known == null || nanoTime.getAsLong() - known.atNanos() > maxAgeNanos) {
      List<HostState> all = hosts.all();
      known = new Look(nanoTime.getAsLong(), all, new HashMap<>(), new HashMap<>());
      last = new SoftReference<>(known);
    }
    return known;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the hosts for a short time. One reading serves all requests within that time, so that
 * many requests cost little more than one.
 */
public final class CachedHosts implements Hosts {
  private final Hosts hosts;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;

  /** The last snapshot. The garbage collector may clear it. Guarded by this object's lock. */
  private SoftReference<Snapshot> last = new SoftReference<>(null);

  /** The hosts at one moment, with the chunks and sites that were requested so far. */
  private record Snapshot(
      long atNanos,
      List<HostView> all,
      Map<String, List<CopyChunks>> chunks,
      Map<String, HostView> sites,
      Map<String, History> histories) {}

  public CachedHosts(Hosts hosts, long maxAgeNanos, LongSupplier nanoTime) {
    this.hosts = hosts;
    this.maxAgeNanos = maxAgeNanos;
    this.nanoTime = nanoTime;
  }

  @Override
  public synchronized List<HostView> all() {
    return snapshot().all();
  }

  @Override
  public synchronized List<CopyChunks> chunks(String hostId) {
    Snapshot snapshot = snapshot();
    List<CopyChunks> known = snapshot.chunks().get(hostId);
    if (known == null && snapshot.all().stream().anyMatch(host -> host.id().equals(hostId))) {
      known = hosts.chunks(hostId);
      snapshot.chunks().put(hostId, known);
    }
    return known == null ? List.of() : known;
  }

  @Override
  public synchronized HostView siteReport(HostView state) throws IOException {
    Map<String, HostView> sites = snapshot().sites();
    String id = state.id();
    HostView known = sites.get(id);
    if (known == null) {
      known = hosts.siteReport(state);
      sites.put(id, known);
    }
    return known;
  }

  @Override
  public synchronized History history(HostView state) throws IOException {
    Map<String, History> histories = snapshot().histories();
    History known = histories.get(state.id());
    if (known == null) {
      known = hosts.history(state);
      histories.put(state.id(), known);
    }
    return known;
  }

  private Snapshot snapshot() {
    @Nullable Snapshot known = last.get();
    if (known == null || nanoTime.getAsLong() - known.atNanos() > maxAgeNanos) {
      List<HostView> all = hosts.all();
      known =
          new Snapshot(
              nanoTime.getAsLong(), all, new HashMap<>(), new HashMap<>(), new HashMap<>());
      last = new SoftReference<>(known);
    }
    return known;
  }
}

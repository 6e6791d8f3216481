/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of the hosts as JSON: who there is, and one of them with its figures, the same as in
 * {@code /metrics} and in the same units.
 */
final class StateJson {
  /** Copies that are told; the rest is counted. */
  static final int MOST_COPIES = 32;

  private final JsonStringWriter json = JsonWriter.string();
  private final StateSites sites;

  /**
   * @param siteNames what is told for the site of an allocation
   */
  StateJson(UnaryOperator<String> siteNames) {
    this.sites = new StateSites(json, siteNames);
  }

  /**
   * @param chosen the host whose figures are told; null if there is no such host
   * @param chunks its chunks, where they can be told
   */
  String write(List<HostState> all, @Nullable HostState chosen, List<CopyChunks> chunks) {
    json.object().value("time_millis", System.currentTimeMillis()).array("hosts");
    for (HostState host : all) {
      json.object();
      writeIdentity(host);
      writeSummary(host.report());
      json.end();
    }
    json.end();
    if (chosen == null) {
      json.nul("host");
    } else {
      json.object("host");
      writeIdentity(chosen);
      writeHost(chosen.report(), chunks);
      json.end();
    }
    return json.end().done();
  }

  private void writeIdentity(HostState host) {
    HostIdentity identity = host.report().host();
    json.value("id", identity.id())
        .value("application", identity.application())
        .value("pod", identity.pod())
        .value("container", identity.container())
        .value("pid", identity.pid())
        .value("version", identity.version())
        .value("start_millis", identity.startMillis())
        .value("state", host.state().name().toLowerCase(Locale.ROOT))
        .value("heartbeat_millis", host.heartbeatMillis());
  }

  /** What tells a host that needs a look from others. */
  private void writeSummary(HostReport report) {
    long reserved = 0;
    long pinned = 0;
    long leaks = 0;
    long suspects = 0;
    for (CopyReport copy : report.copies()) {
      for (PoolSnapshot pool : copy.pools()) {
        reserved += pool.reservedBytes();
        pinned += pool.pinnedBytes();
      }
      for (NettyAllocatorReport part : copy.netty().allocators()) {
        reserved += part.reservedBytes();
        pinned += part.pinnedBytes();
      }
      leaks += StateSites.found(copy.leaks());
      suspects += copy.live().trends().stream().filter(trend -> trend.isSuspect()).count();
    }
    json.value("reserved_bytes", reserved)
        .value("pinned_bytes", pinned)
        .value("leaks", leaks)
        .value("suspects", suspects);
  }

  private void writeHost(HostReport report, List<CopyChunks> chunks) {
    json.value("time_millis", report.timeMillis())
        .value("failures", report.failures())
        .array("copies");
    int shown = Math.min(MOST_COPIES, report.copies().size());
    for (CopyReport copy : report.copies().subList(0, shown)) {
      json.object()
          .value("pool", copy.pool())
          .value("netty_version", copy.version())
          .value("mode", copy.mode())
          .value("reason", copy.reason())
          .value("served", copy.served())
          .value("fell_back", copy.fellBack())
          .value("failures", copy.failures())
          .array("pools");
      for (PoolSnapshot pool : copy.pools()) {
        StatePool.write(json, pool, chunks(chunks, copy.pool(), pool.memory()));
      }
      json.end();
      StateNetty.write(json, copy.netty());
      if (Headline.hasDiagnostics(copy)) {
        sites.write(report, copy);
      }
      json.end();
    }
    json.end().value("copies_not_listed", report.copies().size() - shown);
  }

  private static @Nullable CopyChunks chunks(List<CopyChunks> all, String pool, String memory) {
    return all.stream()
        .filter(of -> of.pool().equals(pool) && of.map().memory().equals(memory))
        .findFirst()
        .orElse(null);
  }
}

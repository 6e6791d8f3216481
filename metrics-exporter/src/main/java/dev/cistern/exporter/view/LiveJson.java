/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.LiveSites;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.SiteFigures;
import dev.cistern.exporter.schema.Row;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.ChunkHolder;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/** The live profile as JSON: all sites and stacks, with every frame. */
public final class LiveJson {
  private LiveJson() {}

  public static void write(HostView report, ReportOptions options, OutputStream out)
      throws IOException {
    Json.write(report, out, (json, copy, pools) -> writeCopy(json, copy, pools, options));
  }

  private static void writeCopy(
      JsonAppendableWriter json, CopyView copy, HostView.Sampling pools, ReportOptions options) {
    LiveReport live = copy.live();
    // Observed threads do not report their increased intervals.
    long largestIntervalBytes = Math.max(live.intervalBytes(), pools.largestIntervalBytes());
    json.value("time", Json.time(live.timeMillis()))
        .value("sample_interval_bytes", live.intervalBytes())
        .value("sample_interval_largest_bytes", largestIntervalBytes)
        .value("not_watched", copy.leaks().notWatched())
        .value("failed_samples", pools.failedSamples())
        .value("without_stack", copy.leaks().withoutStack())
        .value("failures", copy.leaks().failures())
        .value("trends_dropped", live.trendsDropped())
        .array("totals");
    for (Row pool : copy.pools()) {
      String memory = pool.labels().get(0);
      json.object().value("memory", memory);
      writeEstimate(json, live.total(memory));
      json.value("lost_bytes", pool.orZero(PoolFigures.LIVE_LOST_BYTES))
          .value("suspects", pool.orZero(PoolFigures.SUSPECT_SITES))
          .end();
    }
    json.end().array("sites");
    for (LiveSite site : options.sites(live)) {
      json.object();
      Json.writeSite(json, site.site());
      writeSite(json, site);
      writeStacks(json, live, site);
      json.end();
    }
    json.end().array("chunk_holders");
    for (ChunkHolder holder : options.holders(live)) {
      json.object();
      Json.writeSite(json, holder.site());
      json.value("memory", holder.memory())
          .value("chunks", holder.chunks())
          .value("used_bytes", holder.usedBytes())
          .value("chunk_bytes", holder.chunkBytes())
          .end();
    }
    json.end();
    new HoldersJson(json, UnaryOperator.identity())
        .write(options.held(copy), options.pinned(copy), copy.channelsWithPeers());
  }

  /** Writes the data of a site, except its name and its stacks, to the open object. */
  static void writeSite(JsonAppendableWriter json, LiveSite site) {
    SiteTrend trend = site.trend();
    json.value("memory", site.memory()).value("suspect", trend.isSuspect());
    if (trend.isSuspect()) {
      json.value("suspect_since", Json.time(trend.suspectSinceMillis()));
    }
    writeEstimate(json, site.live());
    json.value("growth_bytes_1_minute", trend.minuteBytes())
        .value("growth_bytes_5_minutes", trend.fiveMinutesBytes())
        .value("lost_bytes", Math.round(site.lostBytes()))
        .value("oldest", Json.time(site.oldestMillis()));
  }

  private static void writeStacks(JsonAppendableWriter json, LiveReport live, LiveSite site) {
    json.array("stacks");
    for (LiveStack stack : LiveSites.stacks(live, site)) {
      json.object();
      writeEstimate(json, stack.live());
      json.value("lost_bytes", Math.round(stack.lostBytes()))
          .value("oldest", Json.time(stack.oldestMillis()));
      Json.writeStack(json, stack.stack());
      json.end();
    }
    json.end();
  }

  private static void writeEstimate(JsonAppendableWriter json, LiveEstimate live) {
    json.value("samples", live.samples())
        .value("bytes", Math.round(live.bytes()))
        .value("bytes_error", Math.round(live.bytesError()))
        .value("buffers", Math.round(live.buffers()))
        .value("buffers_error", Math.round(live.buffersError()))
        .object("bytes_by_age");
    for (Age age : Age.values()) {
      json.value(SiteFigures.label(age), Math.round(live.bytes(age)));
    }
    json.end();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import dev.cistern.exporter.report.HolderFigures;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import java.util.List;
import java.util.function.UnaryOperator;

/** The holders of the live buffers of a copy, as arrays of JSON. */
final class HoldersJson {
  private final JsonAppendableWriter json;
  private final UnaryOperator<String> names;

  /**
   * Creates the writer.
   *
   * @param json writer whose open object takes the arrays
   * @param names maps the name of a site, class or handler to the text to show
   */
  HoldersJson(JsonAppendableWriter json, UnaryOperator<String> names) {
    this.json = json;
    this.names = names;
  }

  /** Writes all arrays. */
  void write(List<HeldSite> held, List<PinnedSite> pinned, ChannelReport channels) {
    json.array("held");
    held.forEach(this::write);
    json.end().array("pinned");
    pinned.forEach(this::write);
    json.end().array("channels");
    channels.largest().forEach(this::write);
    json.end().array("channel_shapes");
    channels.shapes().forEach(this::write);
    json.end();
  }

  private void write(HeldSite each) {
    writeSite(each.site(), each.memory(), each.holder());
    json.value("place", HolderFigures.label(each.place()))
        .value("buffers", Math.round(each.buffers()))
        .value("bytes", Math.round(each.bytes()))
        .value("old_bytes", Math.round(each.oldBytes()))
        .value("lost_bytes", Math.round(each.lostBytes()))
        .value("oldest", Json.time(each.oldestMillis()))
        .end();
  }

  private void write(PinnedSite each) {
    writeSite(each.site(), each.memory(), each.holder());
    json.value("buffers", Math.round(each.buffers()))
        .value("bytes", Math.round(each.bytes()))
        .value("covered_bytes", Math.round(each.coveredBytes()))
        .value("slices", Math.round(each.slices()))
        .value("certain", each.isCertain())
        .value("oldest", Json.time(each.oldestMillis()))
        .end();
  }

  private void writeSite(String site, String memory, String holder) {
    json.object()
        .value("site", names.apply(site))
        .value("site_hash", SiteLabel.hashOfSite(site))
        .value("memory", memory)
        .value("holder", name(holder));
  }

  private void write(Queue each) {
    json.object()
        .value("id", each.id())
        .value("address", each.remoteAddress())
        .value("pending_bytes", each.pendingBytes())
        .value("streams", each.streams().active())
        .value("stream_bytes", each.streams().pendingBytes())
        .value("waiting_streams", each.streams().waiting())
        .value("largest_stream", each.streams().largest())
        .value("largest_stream_bytes", each.streams().largestBytes())
        .value("oldest_millis", each.oldestMillis())
        .value("unwritable_millis", each.unwritableMillis())
        .value("handlers", name(each.handlers()))
        .end();
  }

  private void write(Shape each) {
    json.object()
        .value("handlers", name(each.handlers()))
        .value("channels", each.channels())
        .value("pending_bytes", each.pendingBytes())
        .value("largest_bytes", each.largestBytes())
        .end();
  }

  /** Returns the text to show for a name; a text that is not a name does not change. */
  private String name(String name) {
    return name.isEmpty() || name.equals(Shape.OTHERS) ? name : names.apply(name);
  }
}

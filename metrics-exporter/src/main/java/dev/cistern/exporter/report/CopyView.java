/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.ChannelReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An exporter's view of a copy of Netty, of an allocator of the library, or of the figures of all
 * allocators of the library together.
 *
 * @param row its figures, of {@link CopyFigures#COPY}
 * @param leaks its leaks
 * @param live its live buffers
 * @param peers addresses of the peers in its rows of channels, for clients that may see stacks;
 *     empty if only the masked addresses in the rows are known
 */
public record CopyView(Row row, LeakReport leaks, LiveReport live, List<String> peers) {
  /** Copies the list. */
  public CopyView {
    peers = List.copyOf(peers);
  }

  /** Creates a view with masked addresses. */
  public CopyView(Row row, LeakReport leaks, LiveReport live) {
    this(row, leaks, live, List.of());
  }

  /** Returns this view with masked addresses. */
  CopyView masked() {
    return new CopyView(row, leaks, live);
  }

  /** Returns its channels. Addresses of peers are masked. */
  public ChannelReport channels() {
    return ChannelFigures.report(row, List.of());
  }

  /** Returns its channels, with the addresses of their peers if the addresses are known. */
  public ChannelReport channelsWithPeers() {
    return ChannelFigures.report(row, peers);
  }

  /** Returns its live buffers by site and holder. */
  public List<HeldSite> held() {
    return HolderFigures.held(row);
  }

  /** Returns its live buffers that slices keep. */
  public List<PinnedSite> pinned() {
    return HolderFigures.pinned(row);
  }

  /** Returns the package prefix of the copy, or the name of the allocator. */
  public String pool() {
    return row.labels().get(0);
  }

  /** Returns the version of Netty; empty if there is none. */
  public String version() {
    return row.get(CopyFigures.VERSION);
  }

  /** Returns its mode. */
  public String mode() {
    return row.get(CopyFigures.MODE);
  }

  /** Returns the cause of the mode; empty if it is the requested one. */
  public String reason() {
    return row.get(CopyFigures.REASON);
  }

  /** Returns the last change of its mode. */
  public ModeChange modeChange() {
    return new ModeChange(row.get(CopyFigures.SOURCE), row.orZero(CopyFigures.MODE_TIME));
  }

  /** Returns the sum of a figure over its pools. */
  public long sum(Figure<?> figure) {
    return pools().stream().mapToLong(pool -> pool.orZero(figure)).sum();
  }

  /** Returns its pools, by kind of memory. */
  public List<Row> pools() {
    return row.rows(PoolFigures.POOL);
  }

  /** Returns its pool of one kind of memory, or null. */
  public @Nullable Row pool(String memory) {
    return pools().stream()
        .filter(pool -> pool.labels().get(0).equals(memory))
        .findFirst()
        .orElse(null);
  }

  /** Returns the kinds of memory of its pools and of its live buffers. */
  public List<String> memories() {
    return pools().stream().map(pool -> pool.labels().get(0)).toList();
  }

  /** Returns whether this copy alone has a leak detector. */
  public boolean isDiagnosed() {
    return pools().stream().anyMatch(CopyView::hasLive) || !isOfLibrary();
  }

  private static boolean hasLive(Row pool) {
    return pool.get(PoolFigures.SUSPECT_SITES) != Figure.ABSENT;
  }

  /** Returns whether it does not belong to a copy of Netty. */
  public boolean isOfLibrary() {
    return mode().equals(PoolReport.LIBRARY);
  }
}

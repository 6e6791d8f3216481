/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one kind in a copy of Netty or an allocator: Cistern's pool, the reports of Netty's own
 * allocators if they are observed, and the live buffers.
 *
 * @param memory {@code direct} or {@code heap}
 * @param own Cistern's pool, or null
 * @param netty reports of Netty's own allocators
 * @param nettyLimit the limit of this memory as Netty counts it, or null
 * @param live the live buffers of the copy, or null if it shares its leak detector with other
 *     copies
 * @param lifetimes lifetimes of its released samples, or null if it shares its leak detector
 * @param pinned the live buffers of the copy that slices keep, or null if they are not known
 */
public record PoolView(
    String memory,
    @Nullable PoolSnapshot own,
    List<NettyAllocatorReport> netty,
    NettyReport.@Nullable Limit nettyLimit,
    @Nullable LiveReport live,
    @Nullable LifetimeReport lifetimes,
    @Nullable List<PinnedSite> pinned) {
  /** Returns the views of a copy, by kind of memory. */
  static List<PoolView> of(PoolReport copy) {
    TreeSet<String> memories = new TreeSet<>();
    copy.pools().forEach(pool -> memories.add(pool.memory()));
    copy.netty().allocators().forEach(part -> memories.add(part.memory()));
    if (copy.isDiagnosed()) {
      copy.live().stacks().forEach(stack -> memories.add(stack.memory()));
      copy.live().trends().forEach(trend -> memories.add(trend.memory()));
      if (copy.mode().equals(PoolReport.LIBRARY)) {
        memories.addAll(List.of("direct", "heap"));
      }
    }
    return memories.stream().map(memory -> of(copy, memory)).toList();
  }

  private static PoolView of(PoolReport copy, String memory) {
    PoolSnapshot own =
        copy.pools().stream().filter(pool -> pool.memory().equals(memory)).findFirst().orElse(null);
    LiveReport live = copy.isDiagnosed() ? copy.live() : null;
    LifetimeReport lifetimes =
        copy.lifetimes().stream()
            .filter(report -> report.memory().equals(memory))
            .findFirst()
            .orElse(null);
    NettyReport.Limit limit = memory.equals("direct") ? copy.netty().direct() : null;
    List<PinnedSite> pinned = ChannelFigures.isWatched(copy) ? copy.live().detail().pinned() : null;
    return new PoolView(memory, own, copy.netty().of(memory), limit, live, lifetimes, pinned);
  }

  /** Returns a figure of Cistern's pool. */
  long own(ToLongFunction<PoolSnapshot> figure) {
    return own == null ? Figure.ABSENT : figure.applyAsLong(own);
  }

  /** Returns a figure of Cistern's pool. */
  long own(PoolStat stat) {
    return own == null ? Figure.ABSENT : own.get(stat);
  }

  /** Returns the sum of a figure over Netty's own allocators. */
  long netty(ToLongFunction<NettyAllocatorReport> figure) {
    return netty.isEmpty() ? Figure.ABSENT : netty.stream().mapToLong(figure).sum();
  }

  /** Returns the sum of a figure over Cistern's pool and Netty's own allocators. */
  long sum(ToLongFunction<PoolSnapshot> ours, ToLongFunction<NettyAllocatorReport> theirs) {
    if (own == null) {
      return netty(theirs);
    }
    return ours.applyAsLong(own) + netty.stream().mapToLong(theirs).sum();
  }

  long residentBytes() {
    long resident = own(PoolStat.RESIDENT_BYTES);
    return resident == PoolStat.UNKNOWN ? Figure.ABSENT : resident;
  }

  long limitBytes() {
    if (own == null) {
      return nettyLimit == null ? Figure.ABSENT : nettyLimit.bytes();
    }
    return own.limitBytes() == Long.MAX_VALUE ? Figure.ABSENT : own.limitBytes();
  }

  long limitUsedBytes() {
    if (own == null) {
      return nettyLimit == null ? Figure.ABSENT : nettyLimit.usedBytes();
    }
    return own.usedBytes();
  }

  String way() {
    String way = own == null ? null : own.memoryWay();
    return way == null ? "" : way;
  }

  long chunkBytes() {
    if (own != null) {
      return own.layout().chunkBytes();
    }
    long largest = netty.stream().mapToLong(NettyAllocatorReport::chunkSizeBytes).max().orElse(0);
    return largest == 0 ? Figure.ABSENT : largest; // sizes of an adaptive allocator differ
  }

  long liveErrorBytes() {
    return live == null ? Figure.ABSENT : Math.round(live.total(memory).bytesError());
  }

  long liveLostBytes() {
    return live == null
        ? Figure.ABSENT
        : Math.round(
            live.stacks().stream()
                .filter(stack -> stack.memory().equals(memory))
                .mapToDouble(LiveStack::lostBytes)
                .sum());
  }

  long slicePinnedBytes() {
    return pinned == null
        ? Figure.ABSENT
        : Math.round(
            pinned.stream()
                .filter(site -> site.memory().equals(memory))
                .mapToDouble(site -> site.bytes() - site.coveredBytes())
                .sum());
  }

  long suspectSites() {
    return live == null
        ? Figure.ABSENT
        : live.trends().stream()
            .filter(trend -> trend.memory().equals(memory))
            .filter(SiteTrend::isSuspect)
            .count();
  }
}

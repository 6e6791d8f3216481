/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsFileReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.leak.report.RankedLeaks;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolLayout;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Reports with any form and any values. */
final class RandomReports {
  private static final String[] TEXTS = {
    "", "direct", "heap", "io.netty", "a\u0000b", "naïve", "水槽", "🪣", "x".repeat(4_000)
  };

  private final SplittableRandom random;
  private final List<CallStack> stacks;

  RandomReports(long seed) {
    random = new SplittableRandom(seed);
    stacks = list(20, i -> stack());
  }

  HostReport next() {
    return new HostReport(
        host(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        list(4, this::copy),
        new StatsFileReport(random.nextLong(), random.nextLong(), random.nextLong(), 0));
  }

  HostIdentity host() {
    return new HostIdentity(
        String.format("%016x", random.nextLong()),
        shortText(),
        shortText(),
        shortText(),
        random.nextLong(),
        shortText(),
        random.nextLong());
  }

  private PoolReport copy(int number) {
    return new PoolReport(
        "pool" + number + shortText(),
        shortText(),
        shortText(),
        shortText(),
        random.nextBoolean() ? List.of(pool("direct"), pool("heap")) : list(2, i -> pool("heap")),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        leaks(),
        live(),
        new NettyReport(
            list(4, this::allocator),
            random.nextLong(),
            list(4, this::info),
            null,
            NettyReport.DirectMemory.NONE,
            channels()),
        new ModeChange(shortText(), random.nextLong()),
        List.of());
  }

  private PoolSnapshot pool(String memory) {
    int[] classes = random.ints(random.nextInt(20), 0, Integer.MAX_VALUE).distinct().toArray();
    PoolLayout layout =
        new PoolLayout(
            memory,
            random.nextInt(Integer.MAX_VALUE),
            random.nextInt(Integer.MAX_VALUE),
            random.nextInt(classes.length + 1),
            random.nextInt(8),
            classes);
    return new PoolSnapshot(layout, random.longs(layout.values()).toArray());
  }

  private AllocatorInfo info(int number) {
    return new AllocatorInfo(
        number + shortText(),
        shortText(),
        shortText(),
        shortText(),
        random.nextLong(),
        shortText());
  }

  private NettyAllocatorReport allocator(int number) {
    return new NettyAllocatorReport(
        4 * random.nextInt(Integer.MAX_VALUE / 4) + number,
        random.nextBoolean(),
        memory(),
        random.nextInt(Integer.MAX_VALUE),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.longs(3).boxed().toList(),
        random.longs(3).boxed().toList(),
        random.longs(6).boxed().toList(),
        list(5, i -> random.nextLong()),
        NettyAllocatorReport.UNKNOWN);
  }

  private LeakReport leaks() {
    return new LeakReport(
        shortText(),
        list(20, i -> entry(memory())),
        random.nextBoolean() ? List.of() : List.of(entry("direct"), entry("heap")),
        list(LeakReport.PLACES, this::ranked),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong());
  }

  private RankedLeaks ranked(int place) {
    return new RankedLeaks(
        memory(),
        place + text(),
        place,
        random.nextLong(Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE));
  }

  private LeakEntry entry(String memory) {
    return new LeakEntry(
        random.nextLong(Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE),
        new LeakRecord(
            memory,
            text(),
            random.nextLong(),
            random.nextLong(),
            text(),
            random.nextLong(Long.MAX_VALUE),
            random.nextLong(),
            anyStack(),
            list(4, i -> access()),
            random.nextInt(Integer.MAX_VALUE),
            list(4, i -> access()),
            random.nextInt(Integer.MAX_VALUE)));
  }

  private LeakAccess access() {
    return new LeakAccess(text(), text(), text(), random.nextLong(), random.nextLong(), anyStack());
  }

  private LiveReport live() {
    return new LiveReport(
        random.nextLong(),
        random.nextLong(),
        list(
            30,
            i ->
                new LiveStack(
                    memory(), anyStack(), random.nextLong(), random.nextDouble(), estimate())),
        list(
            10,
            i ->
                new SiteTrend(
                    memory(), text(), random.nextLong(), random.nextLong(), random.nextLong())),
        random.nextLong(),
        new LiveDetail(List.of(), List.of(), list(33, this::held), list(33, this::pinned), 0, 0));
  }

  private HeldSite held(int rank) {
    HeldSite.Place[] places = HeldSite.Place.values();
    return new HeldSite(
        memory(),
        shortText(),
        places[rank % places.length],
        shortText(),
        random.nextDouble() * 1e6,
        random.nextDouble() * 1e12,
        random.nextDouble() * 1e12,
        random.nextDouble(),
        random.nextLong());
  }

  private PinnedSite pinned(int rank) {
    return new PinnedSite(
        memory(),
        shortText(),
        shortText(),
        random.nextDouble() * 1e6,
        random.nextDouble() * 1e12,
        random.nextDouble() * 1e9,
        rank,
        random.nextBoolean(),
        random.nextLong());
  }

  private ChannelReport channels() {
    return random.nextBoolean()
        ? ChannelReport.NONE
        : new ChannelReport(
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            new ChannelReport.Streams(
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                orUnknown(random.nextLong()),
                random.nextLong(),
                orUnknown(random.nextLong())),
            list(ChannelReport.MAX_LARGEST + 1, this::queue),
            list(
                ChannelReport.MAX_SHAPES + 1,
                i ->
                    new ChannelReport.Shape(
                        shortText(), random.nextLong(), random.nextLong(), random.nextLong())));
  }

  private long orUnknown(long value) {
    return random.nextBoolean() ? value : ChannelReport.Streams.UNKNOWN;
  }

  private ChannelReport.Queue queue(int rank) {
    return new ChannelReport.Queue(
        shortText(),
        "/10.4.77.99:" + rank,
        shortText(),
        random.nextLong(),
        new ChannelReport.StreamQueues(
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            random.nextLong()),
        random.nextLong(),
        random.nextLong());
  }

  private LiveEstimate estimate() {
    double bytes = random.nextInt(10) == 0 ? Double.NEGATIVE_INFINITY : random.nextDouble() * 1e12;
    return new LiveEstimate(
        random.nextLong(), -0.0, bytes, bytes, 1 / bytes, List.of(bytes, 0.0, -bytes, 1e-300));
  }

  private CallStack stack() {
    List<String> frames = list(CallStack.MAX_FRAMES + 1, i -> "frame" + random.nextInt(3));
    return new CallStack(
        text(), frames, random.nextInt(frames.size() + 1), random.nextInt(Integer.MAX_VALUE));
  }

  private CallStack anyStack() {
    return stacks.isEmpty() ? CallStack.NONE : stacks.get(random.nextInt(stacks.size()));
  }

  private String memory() {
    return random.nextBoolean() ? "direct" : "heap";
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private String shortText() {
    return TEXTS[random.nextInt(TEXTS.length - 1)];
  }

  /** Returns a list with fewer than {@code limit} items. */
  private <T> List<T> list(int limit, IntFunction<T> item) {
    List<T> items = new ArrayList<>();
    int size = random.nextInt(limit);
    for (int i = 0; i < size; i++) {
      items.add(item.apply(i));
    }
    return items;
  }
}

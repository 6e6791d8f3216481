/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.LiveSites;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.ChunkHolder;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The live profile as text for a terminal. */
public final class LiveText extends ReportText {
  /** Number of sites that are shown without {@code ?full=true}, besides all suspects. */
  private static final int SHOWN_SITES = 40;

  /** Number of stacks of a site that are shown without {@code ?full=true}. */
  private static final int SHOWN_STACKS = 3;

  private LiveText(ReportOptions options, OutputStream out) {
    super(options, out);
  }

  public static void write(HostView report, ReportOptions options, OutputStream out)
      throws IOException {
    new LiveText(options, out).appendAll(report);
  }

  private void appendAll(HostView report) throws IOException {
    text.append(ReportHeader.of("Live buffers", report)).append('\n');
    text.append(
        """
        All figures are estimates from samples: each sample counts for the inverse of its chance to be drawn.
        +- is one standard error; the truth is within two of them 19 times out of 20.
        """);
    appendPools(report);
  }

  @Override
  void appendCopy(CopyView copy, HostView.Sampling pools) throws IOException {
    LiveReport live = copy.live();
    text.append('\n')
        .append(ReportHeader.of(copy))
        .append(", ")
        .append(sampling(live, pools))
        .append('\n');
    for (String memory : copy.memories()) {
      text.append("  ").append(TextFormat.plain(memory)).append(" memory: ");
      text.append(estimate(live.total(memory))).append('\n');
    }
    List<LiveSite> sites = options.sites(live);
    int number = 0;
    for (LiveSite site : sites) {
      if (!options.full() && number >= SHOWN_SITES && !site.trend().isSuspect()) {
        break;
      }
      appendSite(++number, live, site);
      flush();
    }
    appendRest(sites.subList(number, sites.size()));
    appendHolders(live);
    HoldersText.append(text, copy, options);
    text.append(ReportHeader.notSeen(copy.leaks(), pools, dropped(live)));
  }

  /** Appends the sites that keep nearly empty chunks. Reports from stats files have none. */
  private void appendHolders(LiveReport live) {
    List<ChunkHolder> holders = options.holders(live);
    if (holders.isEmpty()) {
      return;
    }
    text.append("\n  Live buffers that keep nearly empty chunks (a tenth in use, or less):\n");
    for (ChunkHolder holder : holders) {
      text.append("     ")
          .append(site(holder.site()))
          .append(": ")
          .append(TextFormat.count(holder.chunks(), "chunk"))
          .append(" of ")
          .append(TextFormat.plain(holder.memory()))
          .append(" memory, ")
          .append(TextFormat.bytes(holder.usedBytes()))
          .append(" of ")
          .append(TextFormat.bytes(holder.chunkBytes()))
          .append(" in use\n");
    }
  }

  private static String dropped(LiveReport live) {
    return live.trendsDropped() == 0
        ? ""
        : "  Too many sites at a time: the growth of those of "
            + TextFormat.count(live.trendsDropped(), "old sample")
            + " was not followed.\n";
  }

  private static String sampling(LiveReport live, HostView.Sampling pools) {
    if (live.intervalBytes() == 0) {
      return "sampling is off (interval 0)";
    }
    long largest = pools.largestIntervalBytes();
    String busy =
        largest > live.intervalBytes()
            ? " (" + TextFormat.bytes(largest) + " on the busiest thread)"
            : "";
    return "a sample for each "
        + TextFormat.bytes(live.intervalBytes())
        + " on average"
        + busy
        + ", "
        + TextFormat.time(live.timeMillis());
  }

  private static String estimate(LiveEstimate live) {
    if (live.samples() == 0) {
      return "no sample is live";
    }
    return TextFormat.bytes(live.bytes())
        + " +- "
        + TextFormat.bytes(live.bytesError())
        + " in "
        + TextFormat.count(Math.round(live.buffers()))
        + " +- "
        + TextFormat.count(Math.round(live.buffersError()))
        + " buffers ("
        + TextFormat.count(live.samples(), "sample")
        + ")";
  }

  private void appendSite(int number, LiveReport live, LiveSite site) {
    SiteTrend trend = site.trend();
    text.append("\n  ").append(number).append(". ").append(trend.isSuspect() ? "SUSPECT " : "");
    text.append(site(site.site())).append('\n');
    text.append("     ").append(TextFormat.plain(site.memory())).append(" memory: ");
    text.append(estimate(site.live())).append('\n');
    if (site.live().samples() > 0) {
      text.append("     by age: ").append(ages(site.live())).append("; the oldest ");
      text.append(TextFormat.duration(live.timeMillis() - site.oldestMillis())).append('\n');
    }
    text.append("     growth of what is older than 10 s: ");
    text.append(TextFormat.change(trend.minuteBytes())).append(" in 1 min, ");
    text.append(TextFormat.change(trend.fiveMinutesBytes())).append(" in 5 min");
    if (trend.isSuspect()) {
      text.append("; suspected since ").append(TextFormat.time(trend.suspectSinceMillis()));
    }
    text.append('\n');
    if (site.lostBytes() > 0) {
      text.append("     leaked: ").append(TextFormat.bytes(site.lostBytes()));
      text.append(" in buffers that were garbage collected and never released\n");
    }
    appendStacks(LiveSites.stacks(live, site));
  }

  private static String ages(LiveEstimate live) {
    return Arrays.stream(Age.values())
        .map(age -> TextFormat.bytes(live.bytes(age)) + " " + age.label())
        .collect(Collectors.joining(", "));
  }

  private void appendStacks(List<LiveStack> stacks) {
    int shown = options.full() ? stacks.size() : Math.min(SHOWN_STACKS, stacks.size());
    for (LiveStack stack : stacks.subList(0, shown)) {
      if (stacks.size() > 1) {
        text.append("       ").append(estimate(stack.live())).append('\n');
      }
      stackText.append(stacks.size() > 1 ? "         " : "       ", stack.stack());
    }
    if (shown < stacks.size()) {
      double bytes =
          stacks.subList(shown, stacks.size()).stream().mapToDouble(s -> s.live().bytes()).sum();
      appendRest("       ", stacks.size() - shown, "stack", bytes);
    }
  }

  private void appendRest(List<LiveSite> rest) {
    if (!rest.isEmpty()) {
      double bytes = rest.stream().mapToDouble(site -> site.live().bytes()).sum();
      appendRest("\n  ", rest.size(), "site", bytes);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LeakTotal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.List;

/** Leaks as text for a terminal. */
public final class LeaksText extends ReportText {
  static final Comparator<LeakEntry> LARGEST_FIRST =
      Comparator.comparingLong(LeakEntry::bytes).reversed().thenComparing(LeakEntry::site);

  /** Number of leaks that are shown without {@code ?full=true}. */
  private static final int SHOWN_LEAKS = 40;

  /** Maximum length of a hint. Longer hints are cut; JSON contains them completely. */
  private static final int MAX_HINT = 200;

  private LeaksText(ReportOptions options, OutputStream out) {
    super(options, out);
  }

  public static void write(HostView report, ReportOptions options, OutputStream out)
      throws IOException {
    new LeaksText(options, out).appendAll(report);
  }

  /** Returns the selected leaks, those with the most leaked bytes first. */
  static List<LeakEntry> entries(LeakReport leaks, ReportOptions options) {
    return leaks.entries().stream()
        .filter(entry -> options.shows(entry.site()))
        .sorted(LARGEST_FIRST)
        .toList();
  }

  private void appendAll(HostView report) throws IOException {
    text.append(ReportHeader.of("Leaks", report)).append('\n');
    appendPools(report);
  }

  @Override
  void appendCopy(CopyView copy, HostView.Sampling pools) throws IOException {
    LeakReport leaks = copy.leaks();
    text.append('\n').append(ReportHeader.of(copy)).append(", level ");
    text.append(TextFormat.plain(leaks.level()))
        .append(": ")
        .append(TextFormat.count(leaks.watched(), "sampled buffer"))
        .append(" in use, ");
    List<LeakEntry> entries = entries(leaks, options);
    text.append(entries.isEmpty() ? "no leak found" : "leaks from these stacks:").append('\n');
    int shown = options.full() ? entries.size() : Math.min(SHOWN_LEAKS, entries.size());
    for (int i = 0; i < shown; i++) {
      appendEntry(i + 1, entries.get(i));
      flush();
    }
    appendRest(entries.subList(shown, entries.size()));
    if (options.siteFilter().isEmpty()) {
      appendTotals(leaks);
    }
    text.append(ReportHeader.notSeen(leaks, pools, ""));
  }

  private void appendRest(List<LeakEntry> rest) {
    if (!rest.isEmpty()) {
      long bytes = rest.stream().mapToLong(LeakEntry::bytes).sum();
      appendRest("\n  ", rest.size(), "stack", (double) bytes);
    }
  }

  /** Appends leaks of sites without an entry, and the sums of all leaks. */
  private void appendTotals(LeakReport leaks) {
    for (LeakEntry other : leaks.others()) {
      text.append("\n  Other sites, of which only the sum is kept: ");
      appendCounts(other.found(), other.buffers(), other.bytes(), other.memory());
      text.append("\n     first ").append(TextFormat.time(other.firstSeenMillis()));
      text.append(", last ").append(TextFormat.time(other.lastSeenMillis()));
      text.append(" at ").append(site(other.site())).append('\n');
    }
    for (LeakTotal total : leaks.totals()) {
      text.append("\n  Together: ");
      appendCounts(total.found(), total.buffers(), total.bytes(), total.memory());
      text.append('\n');
    }
  }

  private void appendCounts(long found, long buffers, long bytes, String memory) {
    text.append(TextFormat.count(found)).append(" found, an estimated ");
    text.append(TextFormat.count(buffers, "buffer")).append(" with ");
    text.append(TextFormat.bytes(bytes))
        .append(" of ")
        .append(TextFormat.plain(memory))
        .append(" memory");
  }

  private void appendEntry(int number, LeakEntry entry) {
    text.append("\n  ").append(number).append(". ").append(site(entry.site())).append('\n');
    text.append("     ");
    appendCounts(entry.found(), entry.buffers(), entry.bytes(), entry.memory());
    text.append("\n     first ").append(TextFormat.time(entry.firstSeenMillis()));
    text.append(", last ").append(TextFormat.time(entry.lastSeenMillis())).append('\n');
    text.append("     allocated\n");
    stackText.append("       ", entry.stack());
    appendLatest(entry.latest());
  }

  private void appendLatest(LeakRecord latest) {
    text.append("     the latest: ").append(TextFormat.plain(latest.kind())).append(", ");
    text.append(TextFormat.count(latest.requestedBytes(), "byte"));
    if (latest.slotBytes() > 0) {
      text.append(" in a slot of ").append(TextFormat.count(latest.slotBytes()));
    }
    text.append(", by thread \"").append(TextFormat.plain(latest.thread())).append("\"\n");
    text.append("       allocated ").append(TextFormat.time(latest.allocatedMillis()));
    text.append(", found after ").append(TextFormat.duration(latest.ageMillis())).append('\n');
    appendTrail("last uses", latest.accesses(), latest.accessesDropped());
    appendTrail("retain and release", latest.counts(), latest.countsDropped());
  }

  private void appendTrail(String title, List<LeakAccess> trail, long dropped) {
    if (trail.isEmpty() && dropped == 0) {
      return;
    }
    text.append("       ").append(title).append(", newest first");
    text.append(options.full() ? "\n" : " (?full=true shows whole stacks)\n");
    trail.forEach(this::appendAccess);
    if (dropped > 0) {
      text.append("         ... ").append(TextFormat.count(dropped)).append(" earlier, not kept\n");
    }
  }

  private void appendAccess(LeakAccess access) {
    String operation = access.operation().isEmpty() ? "used" : TextFormat.plain(access.operation());
    text.append("         ").append(operation);
    if (access.repeats() > 0) {
      text.append(" and ").append(TextFormat.count(access.repeats())).append(" more");
    }
    text.append(", ")
        .append(TextFormat.duration(access.sinceMillis()))
        .append(" after the allocation");
    text.append(", by thread \"").append(TextFormat.plain(access.thread())).append('"');
    if (!access.hint().isEmpty()) {
      text.append(", hint: ").append(hint(access.hint()));
    }
    text.append('\n');
    stackText.appendAccess("           ", access.stack());
  }

  private String hint(String hint) {
    boolean cut = !options.full() && hint.length() > MAX_HINT;
    return TextFormat.plain(cut ? hint.substring(0, MAX_HINT) : hint) + (cut ? " ..." : "");
  }
}

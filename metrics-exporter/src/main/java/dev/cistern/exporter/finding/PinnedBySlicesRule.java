/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.PinnedSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Large buffers that only small slices keep.
 *
 * <p>Reason: a slice keeps the whole buffer from which it was taken. If the code kept a copy of the
 * slice, the buffer could be released.
 */
final class PinnedBySlicesRule implements Rule {
  private static final long MIN_BYTES = 24L << 20;
  private static final long CERTAIN_BYTES = 32L << 20;
  private static final int MAX_NAMED = 3;

  @Override
  public List<Finding> find(Facts facts) {
    List<PinnedSite> sites = new ArrayList<>(facts.all(copy -> copy.live().detail().pinned()));
    sites.sort(Comparator.comparingDouble(PinnedBySlicesRule::unused).reversed());
    double bytes = sites.stream().mapToDouble(PinnedBySlicesRule::unused).sum();
    return bytes < MIN_BYTES ? List.of() : List.of(finding(sites, bytes));
  }

  /** Returns the bytes that no slice covers. */
  private static double unused(PinnedSite site) {
    return site.bytes() - site.coveredBytes();
  }

  private static Finding finding(List<PinnedSite> sites, double bytes) {
    PinnedSite first = sites.get(0);
    double certain =
        sites.stream().filter(PinnedSite::isCertain).mapToDouble(PinnedBySlicesRule::unused).sum();
    List<String> evidence = new ArrayList<>();
    evidence.add(
        first.isCertain()
            ? "certain: the reference counts show that only slices keep these buffers"
            : "the slices share the counts of their buffers, so that code may hold these, too");
    evidence.add(
        "allocated by "
            + first.site()
            + (first.holder().isEmpty() ? "" : ", last passed to " + first.holder()));
    for (PinnedSite other : sites.subList(1, Math.min(sites.size(), MAX_NAMED))) {
      evidence.add(hold(other) + ", allocated by " + other.site());
    }
    return new Finding(
        Kind.PINNED_BY_SLICES,
        Level.WARNING,
        certain >= CERTAIN_BYTES ? Confidence.HIGH : Confidence.MEDIUM,
        Math.round(bytes),
        first.oldestMillis(),
        "Slices keep buffers of " + first.site() + ": " + hold(first),
        evidence,
        "copy the slice (buf.copy(), or alloc.buffer(n).writeBytes(slice)) and release the buffer"
            + " from which it was taken",
        first.site().equals(CallStack.UNKNOWN) ? "" : first.site());
  }

  /** Returns a clause such as: 12 slices of 64 B hold 48.0 MiB. */
  private static String hold(PinnedSite site) {
    long slices = Math.max(1, Math.round(site.slices()));
    return TextFormat.count(slices, "slice")
        + " of "
        + TextFormat.bytes(site.coveredBytes() / slices)
        + " hold "
        + TextFormat.bytes(site.bytes());
  }
}

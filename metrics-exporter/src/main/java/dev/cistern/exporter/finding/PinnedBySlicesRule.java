/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.PinnedSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rule for large buffers that only small slices keep.
 *
 * <p>Reason: a slice keeps the whole buffer from which it was taken. If the code kept a copy of the
 * slice, the buffer could be released. Code that keeps the whole buffer and a slice with the same
 * reference count looks the same, so that this case is of low confidence.
 */
final class PinnedBySlicesRule implements Rule {
  private static final long MIN_BYTES = 24L << 20;
  private static final long CERTAIN_BYTES = 32L << 20;

  /**
   * Minimum share of slices in the bytes of their holders. Below it, they are not the main cause.
   */
  private static final double MIN_PART = 0.5;

  private static final int MAX_NAMED = 3;

  @Override
  public List<Finding> find(Facts facts) {
    List<PinnedSite> sites = new ArrayList<>(facts.all(copy -> copy.live().detail().pinned()));
    sites.sort(Comparator.comparingDouble(PinnedBySlicesRule::unused).reversed());
    List<PinnedSite> certain = sites.stream().filter(PinnedSite::isCertain).toList();
    if (sum(certain) >= MIN_BYTES && isMost(certain, oldBytes(facts, certain))) {
      return List.of(finding(Level.WARNING, certain, List.of()));
    }
    double old = oldBytes(facts, sites);
    List<String> inUse =
        isMost(sites, old)
            ? List.of()
            : List.of(
                "the same holders have "
                    + TextFormat.bytes(old)
                    + " that are older than 10 s, most of it in use");
    return sum(sites) >= MIN_BYTES ? List.of(finding(Level.NOTICE, sites, inUse)) : List.of();
  }

  private static boolean isMost(List<PinnedSite> sites, double oldBytes) {
    return sum(sites) >= MIN_PART * oldBytes;
  }

  /** Returns all old bytes of the same sites and holders, whatever keeps them. */
  private static double oldBytes(Facts facts, List<PinnedSite> sites) {
    return facts.all(copy -> copy.live().detail().held()).stream()
        .filter(held -> sites.stream().anyMatch(site -> isSame(site, held)))
        .mapToDouble(HeldSite::oldBytes)
        .sum();
  }

  private static boolean isSame(PinnedSite site, HeldSite held) {
    return site.memory().equals(held.memory())
        && site.site().equals(held.site())
        && site.holder().equals(held.holder());
  }

  private static double sum(List<PinnedSite> sites) {
    return sites.stream().mapToDouble(PinnedBySlicesRule::unused).sum();
  }

  /** Returns the bytes that no slice covers. */
  private static double unused(PinnedSite site) {
    return site.bytes() - site.coveredBytes();
  }

  private static Finding finding(Level level, List<PinnedSite> sites, List<String> inUse) {
    PinnedSite first = sites.get(0);
    double bytes = sum(sites);
    List<String> evidence = new ArrayList<>();
    evidence.add(
        sites.stream().allMatch(PinnedSite::isCertain)
            ? "certain: the reference counts show that only slices keep these buffers"
            : "the slices share the counts of their buffers: code that keeps the whole buffers and"
                + " slices of them looks the same");
    evidence.add(
        "allocated by "
            + first.site()
            + (first.holder().isEmpty() ? "" : ", last passed to " + first.holder()));
    evidence.addAll(inUse);
    for (PinnedSite other : sites.subList(1, Math.min(sites.size(), MAX_NAMED))) {
      evidence.add(hold(other) + ", allocated by " + other.site());
    }
    return new Finding(
        Kind.PINNED_BY_SLICES,
        level,
        confidence(level, bytes),
        Math.round(bytes),
        first.oldestMillis(),
        "Slices keep buffers of " + first.site() + ": " + hold(first),
        evidence,
        "copy the slice (buf.copy(), or alloc.buffer(n).writeBytes(slice)) and release the buffer"
            + " from which it was taken",
        first.site().equals(CallStack.UNKNOWN) ? "" : first.site());
  }

  private static Confidence confidence(Level level, double bytes) {
    if (level == Level.NOTICE) {
      return Confidence.LOW;
    }
    return bytes >= CERTAIN_BYTES ? Confidence.HIGH : Confidence.MEDIUM;
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

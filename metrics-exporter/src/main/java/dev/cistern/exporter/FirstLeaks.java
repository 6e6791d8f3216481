/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leaks of a host that is gone, by site: those that can have a series of their own, and one for
 * all the rest of each kind of memory. The metrics are the same as those of all its leaks.
 */
public final class FirstLeaks {
  /** As {@link SiteNames} has it: what it would name must not be merged with others. */
  private static final Comparator<Site> ORDER =
      Comparator.comparingLong(Site::firstSeenMillis)
          .thenComparingInt(site -> SiteLabel.stableHash(site.label()))
          .thenComparing(Site::label);

  private FirstLeaks() {}

  /**
   * @param label what its series would be called
   * @param latest its last one
   */
  private record Site(
      int copy,
      String label,
      long firstSeenMillis,
      long found,
      long buffers,
      long bytes,
      LeakEntry latest) {
    static Site of(int copy, String label, LeakEntry entry) {
      return new Site(
          copy,
          label,
          entry.firstSeenMillis(),
          entry.found(),
          entry.buffers(),
          entry.bytes(),
          entry);
    }

    Site plus(Site other) {
      return new Site(
          copy,
          label,
          Math.min(firstSeenMillis, other.firstSeenMillis),
          found + other.found,
          buffers + other.buffers,
          bytes + other.bytes,
          other.latest.lastSeenMillis() > latest.lastSeenMillis() ? other.latest : latest);
    }

    LeakEntry entry(long firstMillis) {
      LeakRecord last = latest.latest();
      return new LeakEntry(
          found,
          buffers,
          bytes,
          firstMillis,
          latest.lastSeenMillis(),
          new LeakRecord(
              last.memory(),
              "",
              last.requestedBytes(),
              last.slotBytes(),
              "",
              last.allocatedMillis(),
              last.ageMillis(),
              new CallStack(latest.site(), List.of(), 0, 0),
              List.of(),
              0,
              List.of(),
              0));
    }
  }

  /**
   * Returns the leaks of each copy.
   *
   * @param most sites that stay what they are, over all copies; no fewer than can have series
   */
  public static List<List<LeakEntry>> of(List<CopyReport> copies, int most) {
    List<Site> all = new ArrayList<>();
    List<List<LeakEntry>> first = new ArrayList<>();
    for (CopyReport copy : copies) {
      all.addAll(sites(copy, first.size()));
      first.add(new ArrayList<>());
    }
    all.sort(ORDER);
    for (Site site : all.subList(0, Math.min(most, all.size()))) {
      first.get(site.copy()).add(site.entry(site.firstSeenMillis()));
    }
    Map<List<Object>, Site> rest = new LinkedHashMap<>();
    for (Site site : all.subList(Math.min(most, all.size()), all.size())) {
      rest.merge(List.of(site.copy(), site.latest().memory()), site, Site::plus);
    }
    // The last in the order of sites, so that it never gets a series of its own.
    rest.values().forEach(site -> first.get(site.copy()).add(site.entry(Long.MAX_VALUE)));
    return first;
  }

  private static Collection<Site> sites(CopyReport copy, int number) {
    Map<List<String>, Site> sites = new LinkedHashMap<>();
    for (LeakEntry entry : copy.leaks().entries()) {
      List<String> key = List.of(entry.memory(), entry.site());
      Site known = sites.get(key);
      String label = known == null ? SiteLabel.of(entry.site()) : known.label();
      Site site = Site.of(number, label, entry);
      sites.put(key, known == null ? site : known.plus(site));
    }
    return sites.values();
  }
}

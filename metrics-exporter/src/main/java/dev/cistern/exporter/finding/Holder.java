/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The live buffers of one holder in one copy, of all sites.
 *
 * @param place kind of the holder
 * @param name class of the handler, or text of another hint
 * @param sites the sites, those with the most old bytes first
 */
record Holder(Place place, String name, List<HeldSite> sites) {
  private static final int MAX_NAMED = 3;

  /** Returns the holders of a copy. */
  static List<Holder> of(PoolReport copy) {
    record Key(Place place, String name) {}

    Map<Key, List<HeldSite>> sites = new LinkedHashMap<>();
    for (HeldSite each : copy.live().detail().held()) {
      Key key = new Key(each.place(), each.holder());
      sites.computeIfAbsent(key, any -> new ArrayList<>()).add(each);
    }
    List<Holder> holders = new ArrayList<>();
    sites.forEach(
        (key, held) -> {
          held.sort(Comparator.comparingDouble(HeldSite::oldBytes).reversed());
          holders.add(new Holder(key.place, key.name, held));
        });
    return holders;
  }

  /** Returns the sum of a figure. */
  double sum(ToDoubleFunction<HeldSite> figure) {
    return sites.stream().mapToDouble(figure).sum();
  }

  /** Returns the time of the oldest allocation, in milliseconds since the epoch. */
  long oldestMillis() {
    return sites.stream().mapToLong(HeldSite::oldestMillis).min().orElse(0);
  }

  /** Returns the class without its package. */
  String shortName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns the allocation site with the most old bytes; empty if it is not known. */
  String site() {
    String site = sites.get(0).site();
    return site.equals(CallStack.UNKNOWN) ? "" : site;
  }

  /** Returns the holder, as evidence. */
  String heldBy(PoolReport copy) {
    return "held by " + name + " (" + place.label() + ") of " + copy.pool();
  }

  /** Returns the first sites with their bytes, as evidence. */
  String allocatedBy() {
    return sites.stream()
        .limit(MAX_NAMED)
        .map(each -> each.site() + " (" + TextFormat.bytes(each.bytes()) + ")")
        .collect(Collectors.joining(", ", "allocated by ", ""));
  }
}

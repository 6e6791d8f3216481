/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.PinnedSite;
import java.util.List;
import java.util.Locale;

/**
 * Live buffers of a copy by holder, and live buffers that slices keep. They have rows, but no
 * series.
 */
public final class HolderFigures {
  /** Maximum number of rows of a copy. A file with more is refused. */
  private static final int MAX_ROWS = 64;

  /** Live buffers of one site and one holder. */
  public static final Scope<Ranked<HeldSite>> HELD =
      CopyFigures.COPY
          .child(6, "held", MAX_ROWS, copy -> Ranked.of(copy.live().detail().held()))
          .detail(Detail.ROWS)
          .label("rank", Ranked::label);

  /** Live buffers of a site that slices keep. */
  public static final Scope<Ranked<PinnedSite>> PINNED =
      CopyFigures.COPY
          .child(7, "pinned", MAX_ROWS, copy -> Ranked.of(copy.live().detail().pinned()))
          .detail(Detail.ROWS)
          .label("rank", Ranked::label);

  private static final Figure<Ranked<HeldSite>> HELD_BYTES =
      HELD.gauge(1, "cistern_held_bytes", each -> Math.round(each.thing().bytes()))
          .help("Current bytes of live buffers of a site that one holder has, an estimate.");

  private static final Figure<Ranked<HeldSite>> HELD_BUFFERS =
      HELD.gauge(2, "cistern_held_buffers", each -> Math.round(each.thing().buffers()))
          .help("Current number of these buffers, an estimate.");

  private static final Figure<Ranked<HeldSite>> HELD_OLD_BYTES =
      HELD.gauge(3, "cistern_held_old_bytes", each -> Math.round(each.thing().oldBytes()))
          .help("Current bytes of cistern_held_bytes that are ten seconds old or older.");

  private static final Figure<Ranked<HeldSite>> HELD_LOST_BYTES =
      HELD.gauge(4, "cistern_held_lost_bytes", each -> Math.round(each.thing().lostBytes()))
          .help("Current bytes of cistern_held_bytes that were garbage collected unreleased.");

  private static final Figure<Ranked<HeldSite>> HELD_OLDEST =
      HELD.gauge(5, "cistern_held_oldest_timestamp_seconds", each -> each.thing().oldestMillis())
          .help("Time of the oldest of these allocations, since the epoch.");

  private static final Text<Ranked<HeldSite>> HELD_MEMORY =
      HELD.text(1, "memory", "direct or heap", each -> each.thing().memory());

  private static final Text<Ranked<HeldSite>> HELD_SITE =
      HELD.text(2, "site", "allocation site", each -> each.thing().site());

  private static final Text<Ranked<HeldSite>> HELD_PLACE =
      HELD.text(3, "place", "kind of the holder", each -> label(each.thing().place()));

  private static final Text<Ranked<HeldSite>> HOLDER =
      HELD.text(4, "holder", "class of a handler, or a hint", each -> each.thing().holder());

  private static final Figure<Ranked<PinnedSite>> PINNED_BYTES =
      PINNED
          .gauge(1, "cistern_pinned_buffer_bytes", each -> Math.round(each.thing().bytes()))
          .help("Current bytes of live buffers of a site that only slices keep, an estimate.");

  private static final Figure<Ranked<PinnedSite>> PINNED_BUFFERS =
      PINNED
          .gauge(2, "cistern_pinned_buffers", each -> Math.round(each.thing().buffers()))
          .help("Current number of these buffers, an estimate.");

  private static final Figure<Ranked<PinnedSite>> COVERED_BYTES =
      PINNED
          .gauge(3, "cistern_pinned_covered_bytes", each -> Math.round(each.thing().coveredBytes()))
          .help("Current bytes of these buffers that their slices cover, an estimate.");

  private static final Figure<Ranked<PinnedSite>> SLICES =
      PINNED
          .gauge(4, "cistern_pinned_slices", each -> Math.round(each.thing().slices()))
          .help("Current number of slices of these buffers, an estimate.");

  private static final Figure<Ranked<PinnedSite>> CERTAIN =
      PINNED
          .gauge(5, "cistern_pinned_certain", each -> each.thing().isCertain() ? 1 : 0)
          .help("1 if reference counts prove that only slices keep these buffers, otherwise 0.");

  private static final Figure<Ranked<PinnedSite>> PINNED_OLDEST =
      PINNED
          .gauge(6, "cistern_pinned_oldest_timestamp_seconds", each -> each.thing().oldestMillis())
          .help("Time of the oldest of these allocations, since the epoch.");

  private static final Text<Ranked<PinnedSite>> PINNED_MEMORY =
      PINNED.text(1, "memory", "direct or heap", each -> each.thing().memory());

  private static final Text<Ranked<PinnedSite>> PINNED_SITE =
      PINNED.text(2, "site", "allocation site", each -> each.thing().site());

  private static final Text<Ranked<PinnedSite>> PINNED_HOLDER =
      PINNED.text(3, "holder", "class of a handler", each -> each.thing().holder());

  private HolderFigures() {}

  /** Returns the name of a kind of holder in files and JSON. */
  public static String label(Place place) {
    return place.name().toLowerCase(Locale.ROOT);
  }

  /** Returns a kind of holder. An unknown kind of a later version becomes a hint. */
  private static Place place(String label) {
    return List.of(Place.values()).stream()
        .filter(place -> label(place).equals(label))
        .findFirst()
        .orElse(Place.HINT);
  }

  /** Returns a copy without the texts of hints, which the application chooses. */
  static Row withoutHints(Row copy) {
    return copy.withOnly(
        copy.rows().stream()
            .map(
                row ->
                    row.scope() == HELD && place(row.get(HELD_PLACE)) == Place.HINT
                        ? row.withoutNames(List.of(HOLDER))
                        : row)
            .toList());
  }

  /** Returns the live buffers of a copy by site and holder. */
  static List<HeldSite> held(Row copy) {
    return copy.rows(HELD).stream()
        .map(
            row ->
                new HeldSite(
                    row.get(HELD_MEMORY),
                    row.get(HELD_SITE),
                    place(row.get(HELD_PLACE)),
                    row.get(HOLDER),
                    row.orZero(HELD_BUFFERS),
                    row.orZero(HELD_BYTES),
                    row.orZero(HELD_OLD_BYTES),
                    row.orZero(HELD_LOST_BYTES),
                    row.orZero(HELD_OLDEST)))
        .toList();
  }

  /** Returns the live buffers of a copy that slices keep. */
  static List<PinnedSite> pinned(Row copy) {
    return copy.rows(PINNED).stream()
        .map(
            row ->
                new PinnedSite(
                    row.get(PINNED_MEMORY),
                    row.get(PINNED_SITE),
                    row.get(PINNED_HOLDER),
                    row.orZero(PINNED_BUFFERS),
                    row.orZero(PINNED_BYTES),
                    row.orZero(COVERED_BYTES),
                    row.orZero(SLICES),
                    row.orZero(CERTAIN) == 1,
                    row.orZero(PINNED_OLDEST)))
        .toList();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Groups of figures that are always exported, exported by default, or exported on request. */
public enum Detail {
  /** Always exported for each pool, within the limit of series. */
  CORE,
  /** Exported by default. */
  NORMAL,
  /** On request: thread caches, chunks and the leak detector in detail. */
  INTERNALS,
  /** On request: each arena. */
  ARENAS,
  /** On request: each size class. */
  SIZES,
  /**
   * Never exported: values of rows without series, because their number or their texts are not
   * limited.
   */
  ROWS;

  /** Groups that are exported by default. */
  public static final Set<Detail> DEFAULT = Set.of(CORE, NORMAL);

  /** All groups that can be exported. */
  public static final Set<Detail> ALL = Set.of(CORE, NORMAL, INTERNALS, ARENAS, SIZES);

  /**
   * Returns the default with the groups that a list names.
   *
   * @param list names of groups, separated by commas or plus signs; {@code none}, {@code all}
   * @throws IllegalArgumentException if there is no such group
   */
  public static Set<Detail> parse(String list) {
    Set<Detail> parsed = EnumSet.copyOf(DEFAULT);
    for (String name : list.split("[,+ ]", -1)) {
      switch (name.strip()) {
        case "none" -> {}
        case "internals" -> parsed.add(INTERNALS);
        case "arenas" -> parsed.add(ARENAS);
        case "sizes" -> parsed.add(SIZES);
        case "all" -> parsed.addAll(ALL);
        default ->
            throw new IllegalArgumentException(
                "detail: '" + name + "' (expected: none, all, or of internals, arenas, sizes)");
      }
    }
    return parsed;
  }

  /** Returns its name in settings and documentation. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

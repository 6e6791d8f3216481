/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/** How closely a pool's inside is shown beyond what is always there. */
public enum Detail {
  /** Pools as a whole. */
  NONE(false, false),
  /** Each arena, too. */
  ARENAS(true, false),
  /** Each size class, too. */
  SIZES(false, true),
  /** Each arena and each size class, too. */
  ALL(true, true);

  private final boolean arenas;
  private final boolean sizes;

  Detail(boolean arenas, boolean sizes) {
    this.arenas = arenas;
    this.sizes = sizes;
  }

  boolean showsArenas() {
    return arenas;
  }

  boolean showsSizes() {
    return sizes;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.leak.report.Age;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.SizeGroup;

/** Names of columns that come from constants, made once. */
final class Columns {
  static final PoolFigure[] POOL_FIGURES = PoolFigure.values();
  static final ArenaFigure[] ARENA_FIGURES = ArenaFigure.values();
  static final ClassFigure[] CLASS_FIGURES = ClassFigure.values();

  /** Of the bytes of a live stack, by {@link Age}. */
  static final String[] BYTES_BY_AGE = names("bytes_", Age.values());

  /** Of Netty's own arenas, by {@link SizeGroup}. */
  static final String[] ALLOCATIONS = names("allocations_", SizeGroup.values());

  static final String[] DEALLOCATIONS = names("deallocations_", SizeGroup.values());

  /** By {@link Band}. */
  static final String[] CHUNKS = names("chunks_", Band.values());

  private Columns() {}

  private static String[] names(String prefix, Enum<?>[] constants) {
    String[] names = new String[constants.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = prefix + constants[i].name();
    }
    return names;
  }
}

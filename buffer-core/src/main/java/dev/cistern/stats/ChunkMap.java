/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The usage of a pool's chunks, by arena. Each arena is read separately, so the arenas show
 * different moments. The number of listed chunks is bounded; further chunks are only counted.
 *
 * @param memory {@code direct} or {@code heap}
 * @param cells for each arena, the {@link #cell} of each listed chunk; the arrays are not copied,
 *     and must not change any more
 * @param notListed for each arena, the number of further chunks; the same holds for this array
 */
@SuppressWarnings("ArrayRecordComponent") // maps are not compared
public record ChunkMap(String memory, int[][] cells, int[] notListed) {
  /** The maximum number of listed chunks of a pool. */
  public static final int MAX_LISTED = 512;

  private static final int BAND_SHIFT = 8;
  private static final int USAGE_MASK = (1 << BAND_SHIFT) - 1;
  private static final UsageBand[] BANDS = UsageBand.values();

  /**
   * @throws IllegalArgumentException if the arrays have different numbers of arenas
   */
  public ChunkMap {
    if (cells.length != notListed.length) {
      throw new IllegalArgumentException(
          "notListed: " + notListed.length + " (expected: " + cells.length + ")");
    }
  }

  /** Returns the entry of a chunk in a map. */
  public static int cell(UsageBand band, int usage) {
    return band.ordinal() << BAND_SHIFT | usage;
  }

  /** Returns the number of arenas. */
  public int arenas() {
    return cells.length;
  }

  /** Returns the number of listed chunks of an arena. */
  public int listed(int arena) {
    return cells[arena].length;
  }

  /** Returns the number of chunks of an arena that are not listed. */
  public int notListed(int arena) {
    return notListed[arena];
  }

  /** Returns the usage band of a listed chunk. */
  public UsageBand band(int arena, int chunk) {
    return BANDS[cells[arena][chunk] >>> BAND_SHIFT];
  }

  /**
   * Returns the percentage of pages of a listed chunk in use: 0 only if none is in use, 100 only if
   * all are.
   */
  public int usage(int arena, int chunk) {
    return cells[arena][chunk] & USAGE_MASK;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * How full a pool's chunks are, arena by arena: what a map of them shows. Each arena is looked at
 * for itself, so that the whole is not one moment. Bounded: chunks that find no place are counted.
 *
 * @param memory {@code direct} or {@code heap}
 * @param cells by arena the {@link #cell} of each chunk that is listed; not copied, not to be
 *     changed any more
 * @param notListed by arena how many more chunks there are; likewise
 */
@SuppressWarnings("ArrayRecordComponent") // maps are not compared
public record ChunkMap(String memory, int[][] cells, int[] notListed) {
  /** Most chunks that are listed of a pool. */
  public static final int MOST = 512;

  private static final int BAND_SHIFT = 8;
  private static final int USAGE_MASK = (1 << BAND_SHIFT) - 1;
  private static final UsageBand[] BANDS = UsageBand.values();

  /**
   * @throws IllegalArgumentException if there are not as many of these as of those
   */
  public ChunkMap {
    if (cells.length != notListed.length) {
      throw new IllegalArgumentException(
          "notListed: " + notListed.length + " (expected: " + cells.length + ")");
    }
  }

  /** A chunk as a map holds it. */
  public static int cell(UsageBand band, int usage) {
    return band.ordinal() << BAND_SHIFT | usage;
  }

  /** Number of arenas. */
  public int arenas() {
    return cells.length;
  }

  /** How many chunks of an arena are listed. */
  public int listed(int arena) {
    return cells[arena].length;
  }

  /** How many chunks of an arena are not. */
  public int notListed(int arena) {
    return notListed[arena];
  }

  /** The band that a chunk is listed in. */
  public UsageBand band(int arena, int chunk) {
    return BANDS[cells[arena][chunk] >>> BAND_SHIFT];
  }

  /** Its pages in use, in percent: 0 only if none is, 100 only if all are. */
  public int usage(int arena, int chunk) {
    return cells[arena][chunk] & USAGE_MASK;
  }
}

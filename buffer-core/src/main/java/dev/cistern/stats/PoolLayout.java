/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The properties of a pool that do not change. They fix the layout of the pool's snapshots.
 *
 * @param memory {@code direct} or {@code heap}
 * @param pageBytes size of a page in bytes
 * @param chunkBytes size of a chunk in bytes
 * @param smallClasses number of small classes, which are below four pages
 * @param arenas number of arenas
 * @param classBytes size of each class in bytes, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // layouts are not compared
public record PoolLayout(
    String memory, int pageBytes, int chunkBytes, int smallClasses, int arenas, int[] classBytes) {
  /** Copies the sizes of the classes. */
  public PoolLayout {
    classBytes = classBytes.clone();
  }

  /** Returns a copy of the sizes of the classes. */
  @Override
  public int[] classBytes() {
    return classBytes.clone();
  }

  /** Returns the number of size classes. */
  public int sizeClasses() {
    return classBytes.length;
  }

  /** Returns the size of a class in bytes. */
  public int sizeClassBytes(int sizeClass) {
    return classBytes[sizeClass];
  }

  /** Returns the group of a class: {@link SizeGroup#SMALL} or {@link SizeGroup#NORMAL}. */
  public SizeGroup sizeGroup(int sizeClass) {
    return sizeClass < smallClasses ? SizeGroup.SMALL : SizeGroup.NORMAL;
  }

  /** Returns the number of values of a snapshot of such a pool. */
  public int values() {
    return PoolStat.COUNT + arenas * ArenaStat.COUNT + classBytes.length * SizeClassStat.COUNT;
  }

  /** Returns the index of a statistic of the pool in a snapshot. */
  public int index(PoolStat stat) {
    return stat.ordinal();
  }

  /** Returns the index of a statistic of an arena in a snapshot. */
  public int index(ArenaStat stat, int arena) {
    return PoolStat.COUNT + arena * ArenaStat.COUNT + stat.ordinal();
  }

  /** Returns the index of a statistic of a size class in a snapshot. */
  public int index(SizeClassStat stat, int sizeClass) {
    return PoolStat.COUNT
        + arenas * ArenaStat.COUNT
        + sizeClass * SizeClassStat.COUNT
        + stat.ordinal();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The properties of a pool that do not change. They fix the layout of the pool's snapshots.
 *
 * @param memory {@code direct} or {@code heap}
 * @param pageBytes size of a page
 * @param chunkBytes size of a chunk
 * @param smallClasses how many of the classes are small: below four pages
 * @param arenas number of arenas
 * @param classBytes size of each class, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // shapes are not compared
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

  /** Number of size classes. */
  public int sizeClasses() {
    return classBytes.length;
  }

  /** Size of a class in bytes. */
  public int sizeClassBytes(int sizeClass) {
    return classBytes[sizeClass];
  }

  /** The group a class belongs to: {@link SizeGroup#SMALL} or {@link SizeGroup#NORMAL}. */
  public SizeGroup sizeGroup(int sizeClass) {
    return sizeClass < smallClasses ? SizeGroup.SMALL : SizeGroup.NORMAL;
  }

  /** How many values a snapshot of such a pool has. */
  public int values() {
    return PoolStat.COUNT + arenas * ArenaStat.COUNT + classBytes.length * SizeClassStat.COUNT;
  }

  /** The place of a figure of the pool. */
  public int index(PoolStat figure) {
    return figure.ordinal();
  }

  /** The place of a figure of an arena. */
  public int index(ArenaStat figure, int arena) {
    return PoolStat.COUNT + arena * ArenaStat.COUNT + figure.ordinal();
  }

  /** The place of a figure of a size class. */
  public int index(SizeClassStat figure, int sizeClass) {
    return PoolStat.COUNT
        + arenas * ArenaStat.COUNT
        + sizeClass * SizeClassStat.COUNT
        + figure.ordinal();
  }
}

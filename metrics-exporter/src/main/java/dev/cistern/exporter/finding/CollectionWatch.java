/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.JavaBeans;

/**
 * Changes that garbage collections make to the direct buffers outside of pools, and to the used
 * Java heap. Figures are read once a second. Therefore a collection is seen up to a second late,
 * and its effect on direct buffers, whose cleaners run after it, up to two seconds late.
 */
final class CollectionWatch {
  /** Number of readings after a collection until its effect is read. */
  private static final int SETTLING = 2;

  /** Number of readings over which the share of readings with a collection is averaged. */
  private static final double READINGS = 30;

  /**
   * Number of collections over which the share of collections that freed many buffers is averaged.
   */
  private static final double COLLECTIONS = 10;

  /** Minimum of freed bytes. Less than this, or than four tenths of all, may be a coincidence. */
  static final long MIN_FREED = 32L << 20;

  /** Maximum age of an effect. An older effect has no meaning for the present. */
  private static final long MAX_AGE_MILLIS = 600_000;

  private final TimeSeries heapAfter = new TimeSeries();
  private final TimeSeries freed = new TimeSeries();
  private long young = -1;
  private long whole = -1;
  private long directBefore;
  private long directNow;
  private long allBefore;
  private long allNow;
  private int settling;

  private long lastMillis = -1;
  private long lastAfter;
  private long freedMillis = -1;
  private long largestFreed;
  private long largestBefore;
  private long largestMillis = -1;
  private int collections;
  private boolean isWhole;
  private boolean hasFreedWhole;

  /**
   * Number of collections that freed many buffers, without a pause of ten minutes between two of
   * them.
   */
  private int freeings;

  /** Share of the last collections with many buffers before them that freed many, from 0 to 1. */
  private double freeing = 0.5;

  /**
   * Share of the last readings with many buffers that a collection may have changed, from 0 to 1.
   */
  private double collecting = 0.5;

  private long readMillis = -1;
  private long directBeforeRelease;
  private long allBeforeRelease;
  private long freeingMillis = -1;
  private long lastFreedBytes;

  /**
   * Time of the last reading that had lost many buffers without a collection; -1 if there is none.
   */
  private long releasedMillis = -1;

  /** Previous value of {@link #releasedMillis}. */
  private long releasedBefore = -1;

  /** Time when the effect of the last collection of all objects was read; -1 if never. */
  private long wholeMillis = -1;

  private long wholeAfter;
  private long wholeFreed;
  private boolean areAllCounted = true;

  /**
   * Adds a reading.
   *
   * @param millis time of a monotonic clock
   * @param direct bytes of direct buffers outside of pools
   */
  void add(long millis, JavaBeans.Figures beans, long direct) {
    boolean isFirst = young < 0;
    areAllCounted = beans.countsAllCollections();
    boolean hasRun =
        !isFirst && (beans.youngCollections() != young || beans.wholeCollections() != whole);
    boolean hasRunWhole = !isFirst && beans.wholeCollections() != whole;
    if (hasRun) {
      collections++;
      if (hasRunWhole || beans.collectsOldInParts()) {
        heapAfter.add(millis, beans.heapUsed());
      }
      lastMillis = millis;
      if (settling == 0) { // later collections do not delay the effect of the first
        boolean isCountedLate = releasedMillis >= 0 && releasedMillis == readMillis;
        directBefore = isCountedLate ? directBeforeRelease : directNow;
        allBefore = isCountedLate ? allBeforeRelease : allNow;
        releasedMillis = isCountedLate ? releasedBefore : releasedMillis;
        settling = SETTLING;
      }
      isWhole |= hasRunWhole;
    }
    boolean isQuiet = !isFirst && !hasRun && settling == 0;
    if (isQuiet && directNow - direct >= MIN_FREED) {
      releasedBefore = releasedMillis;
      releasedMillis = millis;
      directBeforeRelease = directNow;
      allBeforeRelease = allNow;
    }
    if (directNow >= MIN_FREED) {
      collecting += ((isQuiet ? 0 : 1) - collecting) / READINGS;
    }
    readMillis = millis;
    directNow = direct;
    allNow = beans.direct();
    if (settling > 0) {
      settling--;
      if (settling == 0) {
        settle(millis);
      }
    }
    young = beans.youngCollections();
    whole = beans.wholeCollections();
  }

  /**
   * Reads the effect of a collection. Buffers that become known as buffers of a pool were not
   * freed, because the JVM still counts them.
   */
  private void settle(long millis) {
    lastAfter = directNow;
    long lastFreed = Math.max(0, Math.min(directBefore - directNow, allBefore - allNow));
    lastFreedBytes = lastFreed;
    freed.add(millis, lastFreed);
    freedMillis = millis;
    boolean isFreeing = lastFreed >= MIN_FREED && 10 * lastFreed >= 4 * directBefore;
    if (directBefore >= Math.max(MIN_FREED, largestBefore / 2)) {
      freeing += ((isFreeing ? 1 : 0) - freeing) / COLLECTIONS;
    }
    if (isFreeing) {
      boolean isSoon = freeingMillis >= 0 && millis - freeingMillis <= MAX_AGE_MILLIS;
      freeings = isSoon ? freeings + 1 : 1;
      freeingMillis = millis;
      hasFreedWhole = isWhole;
    }
    if (isWhole) {
      wholeMillis = millis;
      wholeAfter = directNow;
      wholeFreed = lastFreed;
    }
    isWhole = false;
    if (lastFreed >= largestFreed || millis - largestMillis > MAX_AGE_MILLIS) {
      largestFreed = lastFreed;
      largestBefore = directBefore;
      largestMillis = millis;
    }
  }

  /**
   * Returns whether recent collections have freed many direct buffers for certain: one collection
   * of all objects, or two of any kind. After a single collection, the application may have freed
   * them at the same time. So it may after several, if it also frees many at other times.
   */
  boolean hasFreedForCertain(long now) {
    return freeingMillis >= 0
        && !doesRelease(now)
        && now - freeingMillis <= MAX_AGE_MILLIS
        && ((freeings > 1 && !isCoincidence()) || hasFreedWhole);
  }

  /**
   * Returns whether a recent collection of all objects has freed many direct buffers, while this
   * JVM does not count all collections. Buffers that were freed without a counted collection may
   * have been freed at the end of a concurrent marking, which G1 does not count before JDK 20.
   */
  boolean mayHaveFreedUncounted(long now) {
    return !areAllCounted
        && hasFreedWhole
        && freeingMillis >= 0
        && now - freeingMillis <= MAX_AGE_MILLIS;
  }

  /**
   * Returns whether most of the direct buffers remained after the last collection of all objects.
   */
  boolean hasLeftMost(long direct) {
    return wholeMillis >= 0 && 2 * wholeAfter >= direct;
  }

  /** Returns whether the application has recently freed many buffers without a collection. */
  boolean doesRelease(long now) {
    return releasedMillis >= 0 && now - releasedMillis <= MAX_AGE_MILLIS;
  }

  /**
   * Returns whether collections run all the time, and most of them free little. Then the
   * application may have freed the buffers while a collection ran.
   */
  boolean isCoincidence() {
    return collecting > 0.5 && freeing < 0.5;
  }

  /**
   * Returns whether, in the last ten minutes, a collection of all objects freed few direct buffers,
   * and most of the present ones remained after it.
   */
  boolean hasWholeLeft(long now, long direct) {
    return hasLeftMost(direct)
        && now - wholeMillis <= MAX_AGE_MILLIS
        && 10 * wholeFreed <= wholeAfter;
  }

  /** Returns the direct bytes outside of pools that the last collection freed. */
  long lastFreedBytes() {
    return lastFreedBytes;
  }

  /** Returns the number of collections that were seen. */
  int collections() {
    return collections;
  }

  /** Returns the used heap after each collection that collects old objects. */
  TimeSeries heapAfter() {
    return heapAfter;
  }

  /** Returns the time since the last collection of any kind; -1 if none was seen. */
  long millisSinceLast(long now) {
    return lastMillis < 0 ? -1 : now - lastMillis;
  }

  /** Returns the direct bytes after the last collection; 0 if none was seen. */
  long lastAfter() {
    return lastMillis < 0 ? 0 : lastAfter;
  }

  /** Returns the largest number of direct bytes that a collection of the last ten minutes freed. */
  long largestFreed(long now) {
    return largestMillis < 0 || now - largestMillis > MAX_AGE_MILLIS ? 0 : largestFreed;
  }

  /**
   * Returns the largest number of direct bytes that a collection of the last milliseconds freed.
   */
  long freed(long now, long lastMillis) {
    long age = freedMillis < 0 ? Long.MAX_VALUE : now - freedMillis;
    return age > lastMillis ? 0 : freed.max((lastMillis - age) / 1_000);
  }

  /** Returns the direct bytes before the collection of {@link #largestFreed}. */
  long largestBefore() {
    return largestBefore;
  }
}

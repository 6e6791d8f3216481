/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys with the most bytes, up to a limit. Once the limit is reached, other keys are
 * candidates: a candidate whose bytes exceed those of the smallest kept key takes its place.
 *
 * <p>The candidates are a summary as in J. Misra and D. Gries, "Finding repeated elements", Science
 * of Computer Programming 2 (1982), with weights. Up to {@link #CANDIDATES} keys have a count. A
 * further key subtracts one number from its bytes and from each count: the smallest of them all.
 * Keys with 0 are removed. Let {@code N} be the bytes of all keys while they were not kept. A count
 * is never above the bytes of its key, and up to {@code N / (CANDIDATES + 1)} below them, because
 * each subtraction takes the same from that many counts and from the further key. So:
 *
 * <ul>
 *   <li>no key is kept for bytes that it did not have, for any number of keys that occur once;
 *   <li>a key that is not kept had up to {@code m + N / (CANDIDATES + 1)} bytes since it was last
 *       kept, in one addition or in many. Here {@code m} is the bytes of the smallest kept key,
 *       which never fall.
 * </ul>
 *
 * <p>A replaced key starts again at 0. A preferred key does not have to exceed the smallest.
 * Guarded by the store's lock.
 */
final class LargestKept<K, V extends LargestKept.Kept> {
  /** Limit of keys that have a count and are not kept. */
  static final int CANDIDATES = 64;

  private static final Comparator<Kept> REPLACED_FIRST =
      Comparator.comparing(Kept::isReplacedLast).thenComparingLong(Kept::weightBytes);

  private final int limit;
  private final Map<K, V> kept = new LinkedHashMap<>();
  private final Map<K, Long> candidates = new HashMap<>();

  /** The value of a key that is kept. */
  abstract static class Kept {
    private long weightBytes;

    /** Returns the bytes of the key, with those that it had as a candidate. */
    final long weightBytes() {
      return weightBytes;
    }

    final void addBytes(long bytes) {
      weightBytes += bytes;
    }

    /** Returns whether the key is replaced only after all keys for which this is false. */
    abstract boolean isReplacedLast();
  }

  LargestKept(int limit) {
    this.limit = limit;
  }

  /** Returns the kept values in the order of their addition. */
  Iterable<V> values() {
    return kept.values();
  }

  /** Removes the kept values that match. */
  void removeIf(Predicate<V> isGone) {
    kept.values().removeIf(isGone);
  }

  /**
   * Adds bytes to a key.
   *
   * @param isPreferred whether the key takes the place of the smallest key without more bytes,
   *     unless that key is among the last that are replaced
   * @param fresh creates the value of a new key
   * @param onReplaced receives the value of a replaced key
   * @return the value of the key; null if the key is only a candidate
   */
  @Nullable V add(
      K key, long bytes, boolean isPreferred, Supplier<V> fresh, Consumer<V> onReplaced) {
    V value = kept.get(key);
    if (value != null) {
      value.addBytes(bytes);
      return value;
    }
    long countBytes = bytes + candidates.getOrDefault(key, 0L);
    if (kept.size() >= limit) {
      Map.Entry<K, V> smallest = smallest();
      V smallestValue = smallest.getValue();
      if (countBytes <= smallestValue.weightBytes()
          && (!isPreferred || smallestValue.isReplacedLast())) {
        addCandidate(key, bytes);
        return null;
      }
      onReplaced.accept(smallestValue);
      kept.remove(smallest.getKey());
    }
    value = fresh.get();
    value.addBytes(countBytes);
    candidates.remove(key);
    kept.put(key, value);
    return value;
  }

  /** Returns the entry that is replaced first; among equal ones, the latest. */
  private Map.Entry<K, V> smallest() {
    Iterator<Map.Entry<K, V>> entries = kept.entrySet().iterator();
    Map.Entry<K, V> smallest = entries.next();
    while (entries.hasNext()) {
      Map.Entry<K, V> entry = entries.next();
      if (REPLACED_FIRST.compare(entry.getValue(), smallest.getValue()) <= 0) {
        smallest = entry;
      }
    }
    return smallest;
  }

  private void addCandidate(K key, long bytes) {
    if (candidates.containsKey(key) || (bytes > 0 && candidates.size() < CANDIDATES)) {
      candidates.merge(key, bytes, Long::sum);
    } else if (bytes > 0) {
      long smallest = Math.min(bytes, Collections.min(candidates.values()));
      candidates.replaceAll((other, count) -> count - smallest);
      candidates.values().removeIf(count -> count == 0);
      if (bytes > smallest) {
        candidates.put(key, bytes - smallest);
      }
    }
  }
}

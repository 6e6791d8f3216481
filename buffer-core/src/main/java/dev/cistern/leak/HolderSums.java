/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveDetail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sums of live samples by site and holder. Not thread-safe. */
final class HolderSums {
  /** Limit of the keys. */
  static final int MAX_KEYS = 1_024;

  /**
   * Limit of the hints of one site, because an application may use a different hint for each
   * buffer.
   */
  static final int MAX_HINTS = 8;

  private static final Holder OTHER_HINTS = new Holder(Place.HINT, HeldSite.OTHERS);
  private static final Holder NONE = new Holder(Place.NONE, "");

  private final Map<Key, Sum> sums = new HashMap<>();

  /** Number of different hints of each site. */
  private final Map<String, Integer> hints = new HashMap<>();

  /** A key of a sum. Its methods for maps are written by hand, as those of {@link Holder}. */
  private record Key(String memory, String site, Holder holder) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && memory.equals(key.memory)
          && site.equals(key.site)
          && holder.equals(key.holder);
    }

    @Override
    public int hashCode() {
      return Objects.hash(memory, site, holder);
    }
  }

  /** The sum of one key. */
  private static final class Sum {
    double buffers;
    double bytes;
    double oldBytes;
    double lostBytes;
    long oldestMillis = Long.MAX_VALUE;

    void add(Sum other) {
      buffers += other.buffers;
      bytes += other.bytes;
      oldBytes += other.oldBytes;
      lostBytes += other.lostBytes;
      oldestMillis = Math.min(oldestMillis, other.oldestMillis);
    }

    HeldSite show(Key key) {
      return new HeldSite(
          key.memory,
          key.site,
          key.holder.place(),
          key.holder.name(),
          buffers,
          bytes,
          oldBytes,
          lostBytes,
          oldestMillis);
    }
  }

  /**
   * Adds a sample.
   *
   * @param isLost whether the buffer was garbage collected without a release
   */
  void add(
      Sample sample,
      StackTable.@Nullable Stack stack,
      @Nullable Holder holder,
      Age age,
      long bornMillis,
      boolean isLost) {
    String site = LeakedBuffer.site(stack);
    Sum sum = sum(new Key(sample.memory(), site, holder == null ? NONE : holder));
    long bytes = sample.liveBytes();
    sum.buffers += sample.buffers();
    sum.bytes += bytes;
    sum.oldBytes += age == Age.UNDER_10_SECONDS ? 0 : bytes;
    sum.lostBytes += isLost ? bytes : 0;
    sum.oldestMillis = Math.min(sum.oldestMillis, bornMillis);
  }

  /** Adds all sums of another object. */
  void add(HolderSums other) {
    other.sums.forEach((key, sum) -> sum(key).add(sum));
  }

  private Sum sum(Key key) {
    Sum known = sums.get(key);
    if (known != null) {
      return known;
    }
    Key added = key;
    if (key.holder.place() == Place.HINT && hints.merge(key.site, 1, Integer::sum) > MAX_HINTS) {
      added = new Key(key.memory, key.site, OTHER_HINTS);
    }
    boolean hasPlace = sums.size() < MAX_KEYS || sums.containsKey(added);
    return sums.computeIfAbsent(hasPlace ? added : others(key), unused -> new Sum());
  }

  private static Key others(Key key) {
    return new Key(key.memory, HeldSite.OTHERS, NONE);
  }

  /**
   * Returns the largest sums. For each kind of memory, one entry has the sum of all further ones.
   */
  List<HeldSite> show() {
    List<Map.Entry<Key, Sum>> largestFirst = new ArrayList<>(sums.entrySet());
    largestFirst.sort(
        Comparator.comparingDouble((Map.Entry<Key, Sum> each) -> each.getValue().bytes)
            .reversed()
            .thenComparing(each -> each.getKey().site)
            .thenComparing(each -> each.getKey().holder.name()));
    List<HeldSite> shown = new ArrayList<>();
    Map<Key, Sum> others = new HashMap<>();
    for (Map.Entry<Key, Sum> each : largestFirst) {
      if (shown.size() < LiveDetail.MAX_SITES && !each.getKey().site.equals(HeldSite.OTHERS)) {
        shown.add(each.getValue().show(each.getKey()));
      } else {
        Key key = others(each.getKey());
        others.computeIfAbsent(key, unused -> new Sum()).add(each.getValue());
      }
    }
    others.forEach((key, sum) -> shown.add(sum.show(key)));
    return shown;
  }
}

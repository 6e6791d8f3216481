/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.PinnedSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sums of the samples that only small slices keep, by site and last handler. Not thread-safe. */
final class PinSums {
  private final Map<Key, Sum> sums = new HashMap<>();

  /** A key of a sum. Its methods for maps are written by hand, as those of {@link Holder}. */
  private record Key(String memory, String site, String holder, boolean isCertain) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && memory.equals(key.memory)
          && site.equals(key.site)
          && holder.equals(key.holder)
          && isCertain == key.isCertain;
    }

    @Override
    public int hashCode() {
      return Objects.hash(memory, site, holder, isCertain);
    }
  }

  /** The sum of one key. */
  private static final class Sum {
    double buffers;
    double bytes;
    double coveredBytes;
    double slices;
    long oldestMillis = Long.MAX_VALUE;

    PinnedSite show(Key key) {
      return new PinnedSite(
          key.memory,
          key.site,
          key.holder,
          buffers,
          bytes,
          coveredBytes,
          slices,
          key.isCertain,
          oldestMillis);
    }
  }

  /** Adds a sample whose slices cover little of it. */
  void add(Sample sample, String site, @Nullable Holder holder, Pins.Cover cover, long bornMillis) {
    Key key = new Key(sample.memory(), site, handler(holder), cover.isCertain());
    Sum sum = sums.computeIfAbsent(key, unused -> new Sum());
    double buffers = sample.buffers();
    sum.buffers += buffers;
    sum.bytes += sample.liveBytes();
    sum.coveredBytes += buffers * cover.bytes();
    sum.slices += buffers * cover.slices();
    sum.oldestMillis = Math.min(sum.oldestMillis, bornMillis);
  }

  private static String handler(@Nullable Holder holder) {
    return holder == null || holder.place() == Place.HINT ? "" : holder.name();
  }

  /** Returns the largest sums, the largest first. */
  List<PinnedSite> show() {
    List<PinnedSite> all = new ArrayList<>();
    sums.forEach((key, sum) -> all.add(sum.show(key)));
    all.sort(Comparator.comparingDouble(PinnedSite::bytes).reversed());
    return List.copyOf(all.subList(0, Math.min(all.size(), LiveDetail.MAX_SITES)));
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Samples whose buffers were garbage collected without a release. Their slots stay allocated, so
 * their bytes stay in the live profile. The last samples are kept separately for their ages; all
 * earlier ones are added up. Guarded by the detector's lock.
 */
final class LeakedSamples {
  private static final int MAX_SINGLE = 2_048;

  private record Leaked(
      Sample sample, StackTable.@Nullable Stack stack, @Nullable Holder holder, long bornNanos) {}

  private final Deque<Leaked> last = new ArrayDeque<>();
  private final LiveSums older = new LiveSums(StackDetail.FRAMES);
  private final HolderSums olderHolders = new HolderSums();

  void add(
      Sample sample,
      StackTable.@Nullable Stack stack,
      @Nullable Holder holder,
      long bornNanos,
      Moment now) {
    last.addLast(new Leaked(sample, stack, holder, bornNanos));
    fold(now);
  }

  /** Adds up the samples in the last band of age, and those beyond the limit. */
  private void fold(Moment now) {
    for (Leaked first = last.peekFirst();
        first != null && (last.size() > MAX_SINGLE || now.age(first.bornNanos) == Age.OLDER);
        first = last.peekFirst()) {
      long bornMillis = now.millis(first.bornNanos);
      older.add(first.sample, first.stack, Age.OLDER, bornMillis, true);
      olderHolders.add(first.sample, first.stack, first.holder, Age.OLDER, bornMillis, true);
      last.removeFirst();
    }
  }

  void addTo(LiveSums sums, HolderSums holders, Moment now) {
    fold(now);
    sums.add(older);
    holders.add(olderHolders);
    for (Leaked each : last) {
      Age age = now.age(each.bornNanos);
      long bornMillis = now.millis(each.bornNanos);
      sums.add(each.sample, each.stack, age, bornMillis, true);
      holders.add(each.sample, each.stack, each.holder, age, bornMillis, true);
    }
  }
}

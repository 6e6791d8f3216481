/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Samples of a pool whose buffers were garbage collected unreleased: their slots never come back,
 * so their bytes stay in the live profile. The last ones one by one, for their ages; the rest added
 * up. Guarded by the detector's lock.
 */
final class LostBuffers {
  private static final int MOST_KEPT = 2_048;

  private record Lost(Sample sample, StackTable.@Nullable Stack stack, long bornNanos) {}

  private final Deque<Lost> last = new ArrayDeque<>();
  private final LiveSums older = new LiveSums(StackDetail.FRAMES);

  void add(Sample sample, StackTable.@Nullable Stack stack, long bornNanos, Moment now) {
    last.addLast(new Lost(sample, stack, bornNanos));
    fold(now);
  }

  /** Adds up those that are older than all bands of age that end, or too many. */
  private void fold(Moment now) {
    for (Lost first = last.peekFirst();
        first != null && (last.size() > MOST_KEPT || now.age(first.bornNanos) == Age.OLDER);
        first = last.peekFirst()) {
      older.add(first.sample, first.stack, Age.OLDER, now.millis(first.bornNanos), true);
      last.removeFirst();
    }
  }

  void addTo(LiveSums sums, Moment now) {
    fold(now);
    sums.add(older);
    for (Lost lost : last) {
      sums.add(lost.sample, lost.stack, now.age(lost.bornNanos), now.millis(lost.bornNanos), true);
    }
  }
}

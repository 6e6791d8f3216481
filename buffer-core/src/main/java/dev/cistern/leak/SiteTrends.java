/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.SiteTrend;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The histories of all sites that have old samples. Guarded by the detector's lock. */
final class SiteTrends {
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);
  static final int MAX_SITES = 512;
  private static final int WINDOWS_PER_MINUTE = 12;

  /** The history of the samples of sites beyond the limit, which no report reads. */
  private static final SiteHistory NOT_FOLLOWED = new SiteHistory();

  /** Limit of samples that wait until they are old: at one per 512 KiB, leaks of 51 MiB/s. */
  static final int MAX_YOUNG = 1_024;

  private record Key(String memory, String site) {
    // written by hand in all keys here: the generated method would pin the class loader (JDK 17)
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && site.equals(key.site) && memory.equals(key.memory);
    }

    @Override
    public int hashCode() {
      return site.hashCode() * 31 + memory.hashCode();
    }
  }

  private record Young(Key key, long bytes, long bornNanos) {}

  private final Map<Key, SiteHistory> histories = new HashMap<>();

  /** Samples whose buffers were garbage collected before they were old. */
  private final Deque<Young> youngLost = new ArrayDeque<>();

  private long windowEndNanos;
  private long dropped;

  SiteTrends(long nowNanos) {
    windowEndNanos = nowNanos + WINDOW_NANOS;
  }

  /** Returns the history of a site; one that no report reads if there are too many sites. */
  SiteHistory of(String memory, String site) {
    return of(new Key(memory, site));
  }

  private SiteHistory of(Key key) {
    SiteHistory history = histories.get(key);
    if (history == null) {
      if (histories.size() >= MAX_SITES) {
        dropped++;
        return NOT_FOLLOWED;
      }
      history = new SiteHistory();
      histories.put(key, history);
    }
    return history;
  }

  /**
   * Adds a sample whose buffer was garbage collected before it was old. It arrives at its site at
   * the same age as other samples, because one collection takes many samples. Beyond the limit, the
   * first sample arrives at once.
   */
  void addYoungLost(String memory, String site, long bytes, long bornNanos) {
    youngLost.addLast(new Young(new Key(memory, site), bytes, bornNanos));
    if (youngLost.size() > MAX_YOUNG) {
      arrive(youngLost.removeFirst());
    }
  }

  private void arrive(Young lost) {
    SiteHistory history = of(lost.key);
    history.arrived(lost.bytes);
    history.lost();
  }

  /**
   * Adds samples that have become old to their sites. The caller calls this before {@link #roll}.
   */
  void age(Moment now) {
    for (Iterator<Young> i = youngLost.iterator(); i.hasNext(); ) {
      Young lost = i.next();
      if (now.age(lost.bornNanos) != Age.UNDER_10_SECONDS) {
        i.remove(); // first: after a failure the sample is missing, and does not arrive twice
        arrive(lost);
      }
    }
  }

  /** Ends the window if it is over, and drops sites without any event in all windows. */
  void roll(Moment now) {
    if (now.nanos() - windowEndNanos < 0) {
      return;
    }
    windowEndNanos += WINDOW_NANOS;
    if (now.nanos() - windowEndNanos >= 0) {
      // after a long stop, one window has all arrivals of that time
      windowEndNanos = now.nanos() + WINDOW_NANOS;
    }
    for (Iterator<SiteHistory> i = histories.values().iterator(); i.hasNext(); ) {
      if (!i.next().roll(now.millis())) {
        i.remove();
      }
    }
  }

  List<SiteTrend> show() {
    List<SiteTrend> trends = new ArrayList<>();
    histories.forEach(
        (key, history) ->
            trends.add(
                new SiteTrend(
                    key.memory,
                    key.site,
                    history.growthBytes(WINDOWS_PER_MINUTE),
                    history.growthBytes(5 * WINDOWS_PER_MINUTE),
                    history.suspectSinceMillis())));
    return trends;
  }

  /** Returns the number of samples that became old at sites without a history. */
  long dropped() {
    return dropped;
  }
}

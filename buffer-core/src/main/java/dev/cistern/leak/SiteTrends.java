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
  private static final int MINUTE = 12;

  /** Takes in what has no place elsewhere; never asked. */
  private static final SiteHistory NOT_FOLLOWED = new SiteHistory();

  /** Samples that wait to be old at a time: at one per 512 KiB, 51 MiB in a second of leaks. */
  static final int MOST_YOUNG = 1_024;

  private record Key(String memory, String site) {
    // by hand, as in all keys here: what the compiler makes would pin the class loader (JDK 17)
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

  /** The history of a site; one that nobody follows where too many sites have one. */
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
   * A sample will never be released: its buffer was garbage collected. It arrives at its site when
   * it is as old as others that do, not at the collection, which has many at once. The first of too
   * many arrives at once.
   */
  void addYoungLost(String memory, String site, long bytes, long bornNanos) {
    youngLost.addLast(new Young(new Key(memory, site), bytes, bornNanos));
    if (youngLost.size() > MOST_YOUNG) {
      arrive(youngLost.removeFirst());
    }
  }

  private void arrive(Young lost) {
    SiteHistory history = of(lost.key);
    history.arrived(lost.bytes);
    history.lost();
  }

  /** To be called before each {@link #roll}. */
  void age(Moment now) {
    for (Iterator<Young> i = youngLost.iterator(); i.hasNext(); ) {
      Young lost = i.next();
      if (now.age(lost.bornNanos) != Age.UNDER_10_SECONDS) {
        i.remove(); // before: where memory is short it arrives not at all rather than twice
        arrive(lost);
      }
    }
  }

  /** Ends the windows that are over; sites of which nothing was seen in all of them are let go. */
  void roll(Moment now) {
    if (now.nanos() - windowEndNanos < 0) {
      return;
    }
    windowEndNanos += WINDOW_NANOS;
    if (now.nanos() - windowEndNanos >= 0) {
      // After a long stop one window stands for all of it: what arrived then did so in that time.
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
                    history.growthBytes(MINUTE),
                    history.growthBytes(5 * MINUTE),
                    history.suspectSinceMillis())));
    return trends;
  }

  /** Samples that became old at sites that have no history. */
  long dropped() {
    return dropped;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The histories of all sites that have old samples. Guarded by the detector's lock. */
final class SiteTrends {
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int MINUTE = 12;
  private static final int MAX_SITES = 1_024;

  /** Takes in what has no place elsewhere; never asked. */
  private static final SiteHistory NOT_FOLLOWED = new SiteHistory();

  private record Key(String memory, String site) {}

  private final Map<Key, SiteHistory> histories = new HashMap<>();
  private long windowEndNanos;
  private long dropped;

  SiteTrends(long nowNanos) {
    windowEndNanos = nowNanos + WINDOW_NANOS;
  }

  /** The history of a site; one that nobody follows where too many sites have one. */
  SiteHistory of(String memory, String site) {
    Key key = new Key(memory, site);
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

  /** Ends the windows that are over; sites of which nothing was seen in all of them are let go. */
  void roll(Moment now) {
    if (now.nanos() - windowEndNanos < 0) {
      return;
    }
    // After a long stop one window stands for all of it: what arrived then did so in that time.
    windowEndNanos = now.nanos() + WINDOW_NANOS;
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

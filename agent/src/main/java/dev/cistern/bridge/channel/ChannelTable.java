/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import io.netty.channel.Channel;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A table of channels by identity. It does not keep them alive. The agent's thread only. */
final class ChannelTable {
  private static final int MIN_BUCKETS = 64;

  private final int limit;
  private @Nullable WatchedChannel[] buckets = new WatchedChannel[MIN_BUCKETS];
  private int size;

  /** Creates a table of up to {@code limit} channels. */
  ChannelTable(int limit) {
    this.limit = limit;
  }

  int size() {
    return size;
  }

  /** Adds a channel unless it is in the table. Returns false if the table is full. */
  boolean add(WatchedChannel added, Channel channel) {
    for (WatchedChannel each = buckets[bucket(added.hash)]; each != null; each = each.next) {
      if (each.refersTo(channel)) {
        return true;
      }
    }
    if (size >= limit) {
      return false;
    }
    if (size >= buckets.length) {
      resize(buckets.length * 2);
    }
    insert(added);
    size++;
    return true;
  }

  private void insert(WatchedChannel added) {
    int bucket = bucket(added.hash);
    added.next = buckets[bucket];
    buckets[bucket] = added;
  }

  private int bucket(int hash) {
    return (hash ^ hash >>> 16) & buckets.length - 1;
  }

  private void resize(int length) {
    @Nullable WatchedChannel[] before = buckets;
    buckets = new WatchedChannel[length];
    for (WatchedChannel first : before) {
      for (WatchedChannel each = first; each != null; ) {
        WatchedChannel next = each.next;
        insert(each);
        each = next;
      }
    }
  }

  /** Passes each entry to {@code keeps}, and removes those for which it returns false. */
  void retain(Predicate<WatchedChannel> keeps) {
    for (int bucket = 0; bucket < buckets.length; bucket++) {
      WatchedChannel last = null;
      for (WatchedChannel each = buckets[bucket]; each != null; each = each.next) {
        if (keeps.test(each)) {
          last = each;
        } else {
          size--;
          if (last == null) {
            buckets[bucket] = each.next;
          } else {
            last.next = each.next;
          }
        }
      }
    }
    if (buckets.length > MIN_BUCKETS && size < buckets.length / 4) {
      resize(Math.max(MIN_BUCKETS, Integer.highestOneBit(size) * 2));
    }
  }
}

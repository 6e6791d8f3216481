/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import io.netty.channel.Channel;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A channel that polls read, held weakly. Most channels of a server are idle, so it is small: this
 * object and its table slot take about 56 bytes, and the HTTP/2 counters take another 40. The
 * agent's thread only.
 */
final class WatchedChannel extends WeakReference<Channel> {
  /** Next entry of the same bucket. */
  @Nullable WatchedChannel next;

  /** Identity hash of the channel. */
  final int hash;

  /** Number of the polls that have read it, up to a limit. */
  byte polls;

  /** The bytes that wait in it, as earlier polls saw them; null if there were none. */
  @Nullable Waiting waiting;

  /** The HTTP/2 connection of the channel; null if it has none. */
  @Nullable Http2Counters http2;

  /** A channel that is not idle. */
  static final class Waiting {
    /** Number of the first of the latest polls that all saw pending bytes; 0 for none. */
    int pendingSince;

    /**
     * Number of the first of the latest polls that all saw the channel not writable; 0 for none.
     */
    int unwritableSince;

    /** Handlers of the pipeline as text, from the latest poll that needed it; null before. */
    @Nullable String handlers;

    String handlers() {
      return handlers == null ? "" : handlers;
    }
  }

  WatchedChannel(Channel channel) {
    super(channel);
    hash = System.identityHashCode(channel);
  }
}

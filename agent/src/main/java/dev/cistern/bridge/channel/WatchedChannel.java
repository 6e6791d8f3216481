/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import io.netty.channel.Channel;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A channel that polls read, held weakly. Most channels of a server are idle: this object and its
 * place in the table take about 60 bytes. The agent's thread only.
 */
final class WatchedChannel extends WeakReference<Channel> {
  /** Next entry of the same bucket. */
  @Nullable WatchedChannel next;

  /** Identity hash of the channel. */
  final int hash;

  /** Number of the polls that have read it, up to a limit. */
  byte polls;

  /** Number of the first of the latest polls that all saw pending bytes; 0 for none. */
  int pendingSince;

  /** Number of the first of the latest polls that all saw it not writable; 0 for none. */
  int unwritableSince;

  /** Handlers of the pipeline as text, from the latest poll that needed it; null before. */
  @Nullable String handlers;

  /** The HTTP/2 connection of the channel; null if it has none. */
  @Nullable Http2Counters http2;

  WatchedChannel(Channel channel) {
    super(channel);
    hash = System.identityHashCode(channel);
  }
}

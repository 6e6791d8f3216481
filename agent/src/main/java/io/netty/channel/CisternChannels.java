/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.channel;

import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that receives channels. It is renamed with the package if Netty
 * is relocated. The instrumented registration of a channel calls it.
 *
 * <p>No method may throw into the host.
 */
@NullMarked
public final class CisternChannels {
  /**
   * The listener, or null. The bridge writes it when watching begins or ends; every registration
   * reads it.
   */
  private static volatile @Nullable Consumer<Channel> watching;

  private CisternChannels() {}

  /** Sets the listener that receives channels; null for none. */
  public static void watching(@Nullable Consumer<Channel> listener) {
    watching = listener;
  }

  /**
   * Reports a channel that is about to be registered. The instrumented code calls it. Channels
   * without a thread of their own, such as those that codecs use inside a handler, are left out.
   */
  public static void registered(@Nullable EventLoop loop, @Nullable ChannelPromise promise) {
    Consumer<Channel> listener = watching;
    if (listener != null && promise != null && loop instanceof SingleThreadEventLoop) {
      try {
        listener.accept(promise.channel());
      } catch (Throwable failure) {
        return; // this channel is not watched
      }
    }
  }
}

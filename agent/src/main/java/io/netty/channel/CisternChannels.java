/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.channel;

import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that receives channels; renamed with it if Netty is relocated.
 * The instrumented registration of a channel calls it.
 *
 * <p>Nothing here may throw into the host.
 */
@NullMarked
public final class CisternChannels {
  /** Written by the bridge when watching begins or ends; read by every registration. */
  private static volatile @Nullable Consumer<Channel> watching;

  private CisternChannels() {}

  /** Passes channels to {@code listener} from now on; null ends that. */
  public static void watching(@Nullable Consumer<Channel> listener) {
    watching = listener;
  }

  /**
   * Passes on a channel that is about to be registered. The instrumented code calls it. Channels
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import org.jspecify.annotations.Nullable;

/** Receives the result of one write. */
@FunctionalInterface
public interface WriteListener {
  /**
   * Called once, on the thread of the {@link OutboundBuffer}, after the message was released. It
   * may write, flush, fail or close. What it throws is passed to {@link OutboundListener#failed}
   * and harms no other message.
   *
   * @param failure null if the channel took all bytes
   */
  void completed(@Nullable Throwable failure);
}

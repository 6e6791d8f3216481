/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import org.jspecify.annotations.Nullable;

/** A listener for the result of one write. */
@FunctionalInterface
public interface WriteListener {
  /**
   * Receives the result. The thread of the {@link OutboundBuffer} calls this method once, after the
   * release of the message. This method may write, flush, fail or close. {@link
   * OutboundListener#failed} receives its exceptions, which do not affect other messages.
   *
   * @param failure null if the channel took all bytes
   */
  void completed(@Nullable Throwable failure);
}

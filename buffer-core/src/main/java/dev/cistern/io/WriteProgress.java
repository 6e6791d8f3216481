/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

/** The result of {@link OutboundBuffer#writeTo}. */
public enum WriteProgress {
  /** Nothing that was flushed is left: it was written, or it has failed. */
  ALL_WRITTEN,

  /** The channel took nothing: call again when it is ready to be written to. */
  CHANNEL_FULL,

  /**
   * There is more, and the channel takes it, but others want their turn: call again later. Also the
   * answer to a call from within a call: the outer one goes on with all that was flushed, and is
   * not to be waited for.
   */
  MORE
}

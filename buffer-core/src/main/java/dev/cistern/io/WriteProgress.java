/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

/** The result of {@link OutboundBuffer#writeTo}. */
public enum WriteProgress {
  /** All flushed messages are complete: they were written, or they failed. */
  ALL_WRITTEN,

  /** The channel took nothing: call again when it is ready for writes. */
  CHANNEL_FULL,

  /**
   * The channel takes more bytes, but the limit of writes is reached: call again later, after the
   * other connections. Also the result of a nested call: the outer call continues with all flushed
   * messages, and the caller must not wait for it.
   */
  MORE
}

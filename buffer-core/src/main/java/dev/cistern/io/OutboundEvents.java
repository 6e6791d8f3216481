/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

/** What an {@link OutboundBuffer} tells its connection, on the thread that uses it. */
public interface OutboundEvents {
  /** For who looks at {@link OutboundBuffer#isWritable} himself; failures are logged. */
  OutboundEvents NONE = (buffer, writable) -> {};

  /**
   * The amount of pending memory passed a {@linkplain WaterMarks water mark}. May write, flush,
   * fail or close.
   *
   * @param writable {@link OutboundBuffer#isWritable}
   */
  void writabilityChanged(OutboundBuffer buffer, boolean writable);

  /**
   * Something failed that nobody else hears of: a message without a listener was refused, a
   * listener threw, or a message could not be released. The buffer goes on, and {@linkplain
   * OutboundBuffer#failures counts} it. Logged as a warning unless overridden; what this throws is
   * dropped.
   */
  default void failed(OutboundBuffer buffer, Throwable failure) {
    System.getLogger(OutboundBuffer.class.getName())
        .log(System.Logger.Level.WARNING, "an outbound buffer goes on after a failure", failure);
  }
}

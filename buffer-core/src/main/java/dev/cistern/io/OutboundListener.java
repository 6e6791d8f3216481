/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

/** Receives the events of an {@link OutboundBuffer}, on the thread that uses it. */
public interface OutboundListener {
  /** Ignores changes of {@link OutboundBuffer#isWritable}, and logs failures. */
  OutboundListener NONE = (buffer, writable) -> {};

  /**
   * Called when the amount of pending memory has passed a {@linkplain WaterMarks water mark}. May
   * write, flush, fail or close.
   *
   * @param writable {@link OutboundBuffer#isWritable}
   */
  void writabilityChanged(OutboundBuffer buffer, boolean writable);

  /**
   * Called for a failure that no {@link WriteListener} receives: a message without a listener was
   * refused, a listener threw, or a message could not be released. The buffer continues, and
   * {@linkplain OutboundBuffer#failures counts} it. Logs a warning unless overridden; what this
   * method throws is dropped.
   */
  default void failed(OutboundBuffer buffer, Throwable failure) {
    System.getLogger(OutboundBuffer.class.getName())
        .log(System.Logger.Level.WARNING, "an outbound buffer continues after a failure", failure);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

/**
 * A listener for the events of an {@link OutboundBuffer}, which runs on the thread that uses the
 * buffer.
 */
public interface OutboundListener {
  /** A listener that ignores changes of {@link OutboundBuffer#isWritable}, and logs failures. */
  OutboundListener NONE = (buffer, writable) -> {};

  /**
   * Receives a change of writability, after the amount of pending memory has passed a {@linkplain
   * WaterMarks water mark}. This method may write, flush, fail or close.
   *
   * @param writable the new value of {@link OutboundBuffer#isWritable}
   */
  void writabilityChanged(OutboundBuffer buffer, boolean writable);

  /**
   * Receives a failure that no {@link WriteListener} receives: a message without a listener was
   * refused, a listener threw an exception, or a message could not be released. The buffer
   * continues, and {@linkplain OutboundBuffer#failures counts} the failure. The default
   * implementation logs a warning. Exceptions of this method are ignored.
   */
  default void failed(OutboundBuffer buffer, Throwable failure) {
    System.getLogger(OutboundBuffer.class.getName())
        .log(System.Logger.Level.WARNING, "an outbound buffer continues after a failure", failure);
  }
}

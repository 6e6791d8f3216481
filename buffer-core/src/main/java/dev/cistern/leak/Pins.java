/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import org.jspecify.annotations.Nullable;

/** The slices of one sampled buffer. */
public interface Pins {
  /**
   * Returns the part that the live slices cover, if only slices keep the buffer; otherwise null. A
   * report calls it on its own thread, even while another thread releases the buffer.
   */
  @Nullable Cover cover(Object buffer);

  /**
   * The part of a buffer that its slices cover.
   *
   * @param bytes bytes of the slices together
   * @param bufferBytes bytes of the buffer
   * @param slices number of slices
   * @param isCertain whether reference counts prove that nothing else keeps the buffer
   */
  record Cover(long bytes, int bufferBytes, int slices, boolean isCertain) {
    private static final int MIN_RATIO = 4;

    /** Returns whether the slices cover a quarter of the buffer or less. */
    public boolean isSmall() {
      return bytes * MIN_RATIO <= bufferBytes;
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

import dev.cistern.util.ByteProcessor;

/**
 * A search under way. {@link #process} gives false for the last byte of each occurrence,
 * overlapping ones included, and may then be called for the bytes that follow.
 */
public interface SearchProcessor extends ByteProcessor {
  /** Forgets the bytes seen so far. */
  void reset();
}

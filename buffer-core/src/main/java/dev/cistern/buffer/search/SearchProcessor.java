/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

import dev.cistern.util.ByteProcessor;

/**
 * The state of a search. {@link #process} returns false for the last byte of each occurrence,
 * including overlapping ones. The caller may then continue with the next byte.
 */
public interface SearchProcessor extends ByteProcessor {
  /** Resets this search to its start. */
  void reset();
}

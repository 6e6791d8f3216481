/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import org.jspecify.annotations.Nullable;

/** A buffer whose memory can be a part of a chunk. */
public interface ChunkPart {
  /**
   * Returns the use of the chunk that contains this buffer; null if its memory is not part of a
   * chunk. Any thread can call it while another thread moves or releases the buffer; then the
   * result can be that of an earlier chunk.
   */
  @Nullable ChunkUse chunkUse();

  /** Returns the use of the chunk of an object that implements this interface; otherwise null. */
  static @Nullable ChunkUse of(Object buffer) {
    return buffer instanceof ChunkPart part ? part.chunkUse() : null;
  }
}

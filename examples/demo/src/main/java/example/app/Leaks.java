/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Leaks on purpose, in a method with a distinctive name for leak reports. */
final class Leaks {
  static final int MAX_COUNT = 100_000;
  static final int MAX_BYTES = 1 << 20;

  private static final long MAX_TOTAL_BYTES = 256L << 20;

  private Leaks() {}

  /**
   * Allocates buffers, writes to them and never releases them.
   *
   * @throws IllegalArgumentException above 256 MiB
   */
  static void forgetToRelease(ByteBufAllocator alloc, int count, int size) {
    if ((long) count * size > MAX_TOTAL_BYTES) {
      throw new IllegalArgumentException(
          "count x size must not exceed " + MAX_TOTAL_BYTES + " bytes");
    }
    for (int i = 0; i < count; i++) {
      ByteBuf forgotten = alloc.buffer(size);
      forgotten.writeByte(i);
    }
  }
}

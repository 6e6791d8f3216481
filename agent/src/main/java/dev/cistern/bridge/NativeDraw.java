/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.nio.ByteBuffer;

/** A way to draw native memory that counts as Netty's own chunks do in this JVM. */
interface NativeDraw {
  /**
   * Draws memory.
   *
   * @return what {@link #view} and {@link #giveBack} know it by
   * @throws OutOfMemoryError as Netty's own chunk would get it
   */
  Object draw(int bytes);

  /** A view of what was drawn. */
  ByteBuffer view(Object drawn);

  /** Gives it back. */
  void giveBack(Object drawn);

  /** The way for this copy of Netty in this JVM. */
  static NativeDraw ofHost() {
    CleanableDraw cleanable = CleanableDraw.find();
    NativeDraw untouched =
        BridgeSettings.current().zeroChunks() ? null : UntouchedDraw.find(cleanable);
    if (untouched != null) {
      return untouched;
    }
    return cleanable != null ? cleanable : new PlainDraw();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns what frees the memory once this copy of Netty is unreachable, without a class of the
   * copy: a {@link Long} of the bytes to take off the JVM's account where the memory is {@code
   * Unsafe}'s, an {@link AutoCloseable} to close, or a {@link java.lang.invoke.MethodHandle} to
   * call with the address. Returns null where the JDK's own cleaner does that.
   */
  @Nullable Object freedBy(Object drawn);

  /** The way for this copy of Netty in this JVM. */
  static NativeDraw ofHost() {
    NativeDraw draw = asNettyDoes();
    Set<Object[]> records = BridgeSettings.drawnMemory();
    return records == null ? draw : new RecordedDraw(draw, records);
  }

  private static NativeDraw asNettyDoes() {
    CleanableDraw cleanable = CleanableDraw.find();
    NativeDraw untouched =
        BridgeSettings.current().zeroChunks() ? null : UntouchedDraw.find(cleanable);
    if (untouched != null) {
      return untouched;
    }
    return cleanable != null ? cleanable : new PlainDraw();
  }
}

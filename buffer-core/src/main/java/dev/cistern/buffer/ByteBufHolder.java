/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** An object that holds a buffer and shares its reference count. */
public interface ByteBufHolder extends ReferenceCounted {
  /**
   * Returns the buffer.
   *
   * @throws dev.cistern.util.IllegalReferenceCountException if it is released
   */
  ByteBuf content();

  /** Returns a holder of a copy of the content. */
  ByteBufHolder copy();

  /** Returns a holder of a duplicate of the content; the count does not change. */
  ByteBufHolder duplicate();

  /** Returns a holder of a duplicate of the content; adds 1 to the count. */
  ByteBufHolder retainedDuplicate();

  /** Returns a holder like this one, with another content. */
  ByteBufHolder replace(ByteBuf content);

  @Override
  ByteBufHolder retain();

  @Override
  ByteBufHolder retain(int increment);

  @Override
  default ByteBufHolder touch() {
    return touch(null);
  }

  @Override
  ByteBufHolder touch(@Nullable Object hint);
}

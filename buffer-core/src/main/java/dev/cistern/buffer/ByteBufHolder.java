/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** What holds a buffer, and shares its reference count (seed row B11). */
public interface ByteBufHolder extends ReferenceCounted {
  /**
   * The buffer.
   *
   * @throws dev.cistern.util.IllegalReferenceCountException if it is released
   */
  ByteBuf content();

  /** A holder of a copy of the content. */
  ByteBufHolder copy();

  /** A holder of a duplicate of the content; the count stays. */
  ByteBufHolder duplicate();

  /** A holder of a duplicate of the content; adds 1 to the count. */
  ByteBufHolder retainedDuplicate();

  /** A holder as this one of another content. */
  ByteBufHolder replace(ByteBuf content);

  @Override
  ByteBufHolder retain();

  @Override
  ByteBufHolder retain(int increment);

  @Override
  ByteBufHolder touch();

  @Override
  ByteBufHolder touch(@Nullable Object hint);
}

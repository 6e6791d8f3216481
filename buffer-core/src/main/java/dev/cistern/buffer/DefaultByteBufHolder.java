/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A holder of a buffer. Subclasses can add fields. */
public class DefaultByteBufHolder implements ByteBufHolder {
  private final ByteBuf data;

  /**
   * @param data the content, whose reference the holder takes over
   */
  public DefaultByteBufHolder(ByteBuf data) {
    this.data = Objects.requireNonNull(data, "data");
  }

  @Override
  public ByteBuf content() {
    return ByteBufUtil.ensureAccessible(data);
  }

  /** {@inheritDoc} Copies and duplicates are results of {@link #replace}. */
  @Override
  public ByteBufHolder copy() {
    return replace(data.copy());
  }

  @Override
  public ByteBufHolder duplicate() {
    return replace(data.duplicate());
  }

  @Override
  public ByteBufHolder retainedDuplicate() {
    return replace(data.retainedDuplicate());
  }

  /**
   * {@inheritDoc} A subclass that adds fields returns a holder of its own class, with these fields.
   */
  @Override
  public ByteBufHolder replace(ByteBuf content) {
    return new DefaultByteBufHolder(content);
  }

  @Override
  public int refCnt() {
    return data.refCnt();
  }

  @Override
  public ByteBufHolder retain() {
    data.retain();
    return this;
  }

  @Override
  public ByteBufHolder retain(int increment) {
    data.retain(increment);
    return this;
  }

  @Override
  public ByteBufHolder touch(@Nullable Object hint) {
    data.touch(hint);
    return this;
  }

  @Override
  public boolean release() {
    return data.release();
  }

  @Override
  public boolean release(int decrement) {
    return data.release(decrement);
  }

  /** Returns the content as text for {@link #toString}, even after its release. */
  protected final String contentToString() {
    return data.toString();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + contentToString() + ")";
  }

  /**
   * Returns whether the other object is a holder of the same class with the same readable bytes.
   */
  @Override
  @SuppressWarnings("EqualsGetClass") // a subclass may hold more than the bytes
  public boolean equals(@Nullable Object other) {
    return other instanceof DefaultByteBufHolder holder
        && getClass() == holder.getClass()
        && data.equals(holder.data);
  }

  @Override
  public int hashCode() {
    return data.hashCode();
  }
}

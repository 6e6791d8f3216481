/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import org.jspecify.annotations.Nullable;

/**
 * A wrapper that does not change the reference count of its target: {@code retain} and {@code
 * release} of the wrapper and its views have no effect.
 */
class UnreleasableByteBuf extends ForwardingByteBuf {
  UnreleasableByteBuf(ByteBuf target) {
    super(target instanceof UnreleasableByteBuf wrapper ? wrapper.target : target);
  }

  @Override
  ByteBuf derived(ByteBuf view) {
    return new UnreleasableByteBuf(view);
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    return slice(index, length);
  }

  @Override
  public ByteBuf retainedDuplicate() {
    return duplicate();
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    return readSlice(length);
  }

  @Override
  public ByteBuf retain() {
    return this;
  }

  @Override
  public ByteBuf retain(int increment) {
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    return this;
  }

  @Override
  public boolean release() {
    return false;
  }

  @Override
  public boolean release(int decrement) {
    return false;
  }
}

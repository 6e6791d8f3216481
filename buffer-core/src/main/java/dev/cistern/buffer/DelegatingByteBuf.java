/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** What all wrappers have in common; each changes a few calls, or one of the three hooks. */
@SuppressWarnings("deprecation") // of order
abstract class DelegatingByteBuf extends ForwardingByteBuf {
  DelegatingByteBuf(ByteBuf target) {
    super(target);
  }

  @Override
  ByteBuf memory() {
    return target;
  }

  @Override
  ByteBuf derived(ByteBuf view) {
    return view;
  }

  @Override
  ByteBuf copied(ByteBuf copy) {
    return copy;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return target;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very same buffer
  public ByteBuf asReadOnly() {
    ByteBuf memory = memory();
    ByteBuf readOnly = memory.asReadOnly();
    return readOnly == memory ? this : derived(readOnly);
  }

  @Override
  public ByteBuf order(ByteOrder endianness) {
    return endianness == order() ? this : derived(memory().order(endianness));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the bytes of a released buffer cannot be read
  public int compareTo(ByteBuf buffer) {
    return this == buffer ? 0 : super.compareTo(buffer);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + target + ")";
  }
}

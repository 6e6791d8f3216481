/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** An object that has the form of a buffer. */
public interface ByteBufConvertible {
  /** Returns the buffer itself, not a copy. */
  ByteBuf asByteBuf();
}

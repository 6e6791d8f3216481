/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** Something that is a buffer in another form. */
public interface ByteBufConvertible {
  /** The buffer itself, not a copy. */
  ByteBuf asByteBuf();
}

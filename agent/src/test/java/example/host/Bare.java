/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;

/** Names the class of a buffer. Netty wraps one buffer in 128, by chance, to find leaks. */
final class Bare {
  private Bare() {}

  /** Returns the class name of the innermost buffer. */
  static String className(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare.unwrap() != null) {
      bare = bare.unwrap();
    }
    return bare.getClass().getName();
  }
}

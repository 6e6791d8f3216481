/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Cistern's pool as an allocator of Netty. The application brings Netty. */
module dev.cistern.netty {
  exports dev.cistern.netty;

  requires transitive dev.cistern.buffer;
  requires transitive io.netty.buffer;
  requires io.netty.common;
  // Annotations only. Not transitive: a module that requires this one would need them.
  requires static org.jspecify;
}

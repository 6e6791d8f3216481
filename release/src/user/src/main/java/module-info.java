/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** A new user's program. */
module example.user {
  requires dev.cistern.buffer;
  requires dev.cistern.exporter;
  requires dev.cistern.netty;
  requires io.netty.transport;
  requires java.net.http;
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** An HTTP server on Netty alone. */
module example.hosts.plain {
  requires static org.jspecify;
  requires example.hosts.common;
  requires io.netty.buffer;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;
import java.nio.channels.SocketChannel;

/** Sends back all input, in the buffers that received it. */
final class EchoConnection extends Connection {
  private final ByteBufAllocator allocator;

  EchoConnection(SocketChannel channel, EventLoop loop) {
    super(channel, loop.transport());
    allocator = loop.transport().allocator();
  }

  @Override
  void received(ByteBuf input) {
    write(Buffers.fitted(input, allocator));
  }

  @Override
  boolean resume() {
    return false;
  }

  @Override
  boolean isDone() {
    return false;
  }

  @Override
  void released() {}
}

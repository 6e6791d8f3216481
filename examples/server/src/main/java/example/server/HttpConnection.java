/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import java.nio.channels.SocketChannel;

/** An HTTP connection. */
final class HttpConnection extends Connection implements HttpSession.Sink {
  private final HttpSession session;

  HttpConnection(SocketChannel channel, EventLoop loop) {
    super(channel, loop.transport());
    session = new HttpSession(loop.transport().allocator(), loop.responses(), this);
  }

  @Override
  void received(ByteBuf input) {
    session.received(input);
  }

  @Override
  boolean resume() {
    return session.resume();
  }

  @Override
  boolean isDone() {
    return session.isEnded();
  }

  @Override
  void released() {
    session.close();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/** Sends back all input, in the buffers that received it. */
final class EchoHandler extends ConnectionHandler {
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The void promise is not a real promise.
  void received(ChannelHandlerContext context, ByteBuf input) {
    context.write(input, context.voidPromise());
  }

  @Override
  void resume() {}

  @Override
  boolean isDone() {
    return false;
  }

  @Override
  void released() {}
}

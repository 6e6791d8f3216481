/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An HTTP connection. */
@SuppressWarnings("FutureReturnValueIgnored") // The void promise is not a real promise.
final class HttpHandler extends ConnectionHandler implements HttpSession.Sink {
  private static final FastThreadLocal<Responses> RESPONSES =
      new FastThreadLocal<>() {
        @Override
        protected Responses initialValue() {
          return new Responses();
        }
      };

  private @Nullable HttpSession session;
  private @Nullable ChannelHandlerContext context;

  @Override
  public void channelRegistered(ChannelHandlerContext newContext) {
    context = newContext;
    session = new HttpSession(newContext.alloc(), RESPONSES.get(), this);
    newContext.fireChannelRegistered();
  }

  private HttpSession session() {
    return Objects.requireNonNull(session);
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  @Override
  void received(ChannelHandlerContext from, ByteBuf input) {
    session().received(input);
  }

  @Override
  void resume() {
    session().resume();
  }

  @Override
  boolean isDone() {
    return session().isEnded();
  }

  @Override
  void released() {
    session().close();
  }

  @Override
  public boolean isWritable() {
    return context().channel().isWritable();
  }

  @Override
  public void write(ByteBuf answers) {
    context().write(answers, context().voidPromise());
  }
}

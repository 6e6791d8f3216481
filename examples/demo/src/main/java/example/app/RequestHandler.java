/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;

/**
 * Responds to requests in the order of arrival and flushes once per read, so that pipelined
 * requests share a flush.
 */
final class RequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private final Router router;

  RequestHandler(Router router) {
    this.router = router;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // A listener closes the connection.
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    Exchange exchange = new Exchange(context, request);
    if (request.decoderResult().isFailure()) {
      exchange.sendText(HttpResponseStatus.BAD_REQUEST, "malformed request\n");
    } else {
      router.answer(exchange);
    }
    if (!HttpUtil.isKeepAlive(request)) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The connection is already broken.
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof IOException)) {
      System.err.println("request failed: " + cause);
    }
    context.close();
  }
}

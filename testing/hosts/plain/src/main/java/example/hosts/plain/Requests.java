/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.plain;

import example.hosts.common.Answers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;

/** Responds to requests with buffers of the channel's allocator, as applications do. */
final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    switch (request.uri()) {
      case "/plaintext" -> whole(context, HttpResponseStatus.OK, text(context, Answers.PLAINTEXT));
      case "/json" -> whole(context, HttpResponseStatus.OK, text(context, Answers.JSON));
      case "/echo" -> whole(context, HttpResponseStatus.OK, request.content().retain());
      case "/stream" -> stream(context);
      default -> whole(context, HttpResponseStatus.NOT_FOUND, text(context, "no such page"));
    }
  }

  private static ByteBuf text(ChannelHandlerContext context, String text) {
    return ByteBufUtil.writeUtf8(context.alloc(), text);
  }

  private static void whole(
      ChannelHandlerContext context, HttpResponseStatus status, ByteBuf body) {
    var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    answer.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    send(context, answer);
  }

  private static void stream(ChannelHandlerContext context) {
    var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    send(context, head);
    for (int part = 0; part < Answers.PARTS; part++) {
      ByteBuf bytes = context.alloc().buffer().writeBytes(Answers.part(part));
      send(context, new DefaultHttpContent(bytes));
    }
    send(context, LastHttpContent.EMPTY_LAST_CONTENT);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the connection.
  private static void send(ChannelHandlerContext context, HttpObject part) {
    context.write(part, context.voidPromise());
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

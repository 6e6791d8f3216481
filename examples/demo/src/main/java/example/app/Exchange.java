/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;

/** One request, and methods to respond to it. */
final class Exchange {
  private final ChannelHandlerContext context;
  private final FullHttpRequest request;
  private final QueryStringDecoder target;

  Exchange(ChannelHandlerContext context, FullHttpRequest request) {
    this.context = context;
    this.request = request;
    this.target = new QueryStringDecoder(request.uri());
  }

  String path() {
    return target.path();
  }

  FullHttpRequest request() {
    return request;
  }

  ByteBufAllocator alloc() {
    return context.alloc();
  }

  /**
   * Returns a number of the query.
   *
   * @throws IllegalArgumentException if it is not a number or out of range
   */
  int number(String name, int otherwise, int min, int max) {
    List<String> values = target.parameters().get(name);
    if (values == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(values.get(0));
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The error message is the same as for a number out of range.
    }
    throw new IllegalArgumentException(
        name + " must be a number from " + min + " to " + max + ", not " + values.get(0));
  }

  void sendText(HttpResponseStatus status, String text) {
    send(status, "text/plain; charset=utf-8", ByteBufUtil.writeUtf8(alloc(), text));
  }

  /** Sends {@code body} and releases it. */
  void send(HttpResponseStatus status, String contentType, ByteBuf body) {
    var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, contentType)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    if (!HttpUtil.isKeepAlive(request)) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    sendPart(response);
  }

  /** Sends a part of a response; a failure is passed to the handler's {@code exceptionCaught}. */
  @SuppressWarnings("FutureReturnValueIgnored") // The void promise is not a real promise.
  void sendPart(Object part) {
    context.write(part, context.voidPromise());
  }
}

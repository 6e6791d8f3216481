/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** HTTP/1.1 requests and responses, as browsers and their servers send them. */
final class Http1 {
  private Http1() {}

  /** Returns consecutive requests; one in four has a body. */
  static byte[] requests(int count) {
    StringBuilder text = new StringBuilder();
    for (int request = 0; request < count; request++) {
      boolean hasBody = request % 4 == 3;
      text.append(hasBody ? "POST" : "GET").append(" /shop/items/").append(request * 7919);
      text.append("?colour=green&page=").append(request).append(" HTTP/1.1\r\n");
      text.append("Host: shop.example.org\r\nConnection: keep-alive\r\n");
      text.append("User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101\r\n");
      text.append("Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n");
      text.append("Accept-Language: en-GB,en;q=0.7,de;q=0.3\r\n");
      text.append("Accept-Encoding: gzip, deflate, br\r\n");
      text.append("Cookie: session=0123456789abcdef; basket=").append(request).append("\r\n");
      text.append("X-Request-Id: 00000000-0000-4000-8000-").append(request + 100000000000L);
      text.append("\r\n");
      if (hasBody) {
        text.append("Content-Type: text/plain\r\nContent-Length: 256\r\n");
      }
      text.append("\r\n").append(hasBody ? "b".repeat(256) : "");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns a body, always the same for a given length. */
  static byte[] body(int length) {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    return body;
  }

  /** Returns a response with that body; the response owns the body. */
  static FullHttpResponse answer(ByteBuf body) {
    FullHttpResponse answer =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
    answer
        .headers()
        .set(HttpHeaderNames.SERVER, "example")
        .set(HttpHeaderNames.DATE, "Mon, 09 Mar 2026 10:11:12 GMT")
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    return answer;
  }
}

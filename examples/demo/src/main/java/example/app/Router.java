/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;

/** The endpoints. All bodies are allocated from the channel's allocator, as applications do. */
final class Router {
  private static final byte[] PLAINTEXT = Content.PLAINTEXT.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BLOCK = Content.bytes(251 * 64);
  private static final int MAX_BYTES = 64 << 20;
  private static final int MAX_CHUNKS = 1_024;
  private static final int MAX_CHUNK_BYTES = 64 << 10;
  private static final String BINARY = "application/octet-stream";

  private final String certificatePem;

  Router(String certificatePem) {
    this.certificatePem = certificatePem;
  }

  void answer(Exchange exchange) {
    try {
      route(exchange);
    } catch (IllegalArgumentException e) {
      exchange.sendText(HttpResponseStatus.BAD_REQUEST, e.getMessage() + "\n");
    }
  }

  private void route(Exchange exchange) {
    switch (exchange.path()) {
      case "/plaintext" -> plaintext(exchange);
      case "/bytes" -> bytes(exchange);
      case "/chunked" -> chunked(exchange);
      case "/echo" -> echo(exchange);
      case "/leak" -> leak(exchange);
      case "/memory" -> memory(exchange);
      case "/gc" -> collectGarbage(exchange);
      case "/certificate" -> exchange.sendText(HttpResponseStatus.OK, certificatePem);
      case "/" -> exchange.sendText(HttpResponseStatus.OK, HELP);
      default -> exchange.sendText(HttpResponseStatus.NOT_FOUND, "no such endpoint\n");
    }
  }

  private static void plaintext(Exchange exchange) {
    ByteBuf body = exchange.alloc().buffer(PLAINTEXT.length).writeBytes(PLAINTEXT);
    exchange.send(HttpResponseStatus.OK, "text/plain", body);
  }

  private static void bytes(Exchange exchange) {
    int size = exchange.number("size", 1_024, 0, MAX_BYTES);
    ByteBuf body = exchange.alloc().buffer(size);
    writeContent(body, 0, size);
    exchange.send(HttpResponseStatus.OK, BINARY, body);
  }

  private static void chunked(Exchange exchange) {
    int chunks = exchange.number("chunks", 16, 1, MAX_CHUNKS);
    int size = exchange.number("size", 4_096, 1, MAX_CHUNK_BYTES);
    var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, BINARY)
        .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    exchange.sendPart(head);
    for (int i = 0; i < chunks; i++) {
      ByteBuf part = exchange.alloc().buffer(size);
      writeContent(part, (long) i * size, size);
      exchange.sendPart(new DefaultHttpContent(part));
    }
    exchange.sendPart(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  private static void echo(Exchange exchange) {
    if (!exchange.request().method().equals(HttpMethod.POST)) {
      exchange.sendText(HttpResponseStatus.METHOD_NOT_ALLOWED, "POST a body\n");
      return;
    }
    exchange.send(HttpResponseStatus.OK, BINARY, exchange.request().content().retain());
  }

  private static void leak(Exchange exchange) {
    int count = exchange.number("count", 1, 1, Leaks.MAX_COUNT);
    int size = exchange.number("size", 1_024, 1, Leaks.MAX_BYTES);
    Leaks.forgetToRelease(exchange.alloc(), count, size);
    exchange.sendText(HttpResponseStatus.OK, "leaked " + count + " x " + size + " bytes\n");
  }

  private static void memory(Exchange exchange) {
    ByteBuf body = ByteBufUtil.writeUtf8(exchange.alloc(), MemoryReport.json(exchange.alloc()));
    exchange.send(HttpResponseStatus.OK, "application/json", body);
  }

  private static void collectGarbage(Exchange exchange) {
    System.gc();
    exchange.sendText(HttpResponseStatus.OK, "collected\n");
  }

  /** Writes {@code size} bytes of {@link Content} that start at {@code position}. */
  private static void writeContent(ByteBuf target, long position, int size) {
    int from = (int) (position % 251);
    int left = size;
    while (left > 0) {
      int length = Math.min(left, BLOCK.length - from);
      target.writeBytes(BLOCK, from, length);
      left -= length;
      from = 0;
    }
  }

  private static final String HELP =
      """
      /plaintext                 13 bytes
      /bytes?size=N              N bytes
      /chunked?chunks=N&size=M   N chunks of M bytes
      /echo                      POST: the request body
      /leak?count=N&size=M       leaks N buffers of M bytes
      /memory                    metrics of the allocator, JSON
      /gc                        collects garbage, which detects leaks
      /certificate               the certificate of the HTTPS port, PEM
      """;
}

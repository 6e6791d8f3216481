/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;

/** Aggregates an upload of 64 KiB that is read 2 KiB at a time. */
public class Http1Aggregate extends Workload {
  private static final int BODY_BYTES = 64 << 10;
  private static final int READ_BYTES = 2048;

  private final byte[] request = request();
  private final byte[] received = new byte[BODY_BYTES];
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new HttpRequestDecoder(), new HttpObjectAggregator(1 << 20));

  private static byte[] request() {
    String head = "PUT /upload HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n";
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = java.util.Arrays.copyOf(start, start.length + BODY_BYTES);
    System.arraycopy(Http1.body(BODY_BYTES), 0, all, start.length, BODY_BYTES);
    return all;
  }

  @Override
  void open() {}

  private FullHttpRequest receive() {
    Embedded.receive(channel, request, READ_BYTES);
    FullHttpRequest whole = channel.readInbound();
    if (whole == null) {
      throw new IllegalStateException("the request is not complete");
    }
    return whole;
  }

  @Override
  int operate() {
    FullHttpRequest whole = receive();
    ByteBuf content = whole.content();
    content.readBytes(received);
    whole.release();
    return received[BODY_BYTES - 1];
  }

  @Override
  void record(Outcome into) {
    FullHttpRequest whole = receive();
    into.add(whole.headers().toString());
    into.add(whole.content());
    whole.release();
  }

  @Override
  void close() {
    channel.finishAndReleaseAll();
  }
}

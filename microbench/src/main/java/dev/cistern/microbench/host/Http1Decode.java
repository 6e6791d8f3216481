/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;

/** Decodes 16 requests, 1 KiB at a time, so that most of them span two buffers. */
public class Http1Decode extends Workload {
  private static final int READ_BYTES = 1024;

  private final byte[] requests = Http1.requests(16);
  private final EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());

  @Override
  void open() {}

  @Override
  int operate() {
    Embedded.receive(channel, requests, READ_BYTES);
    int sum = 0;
    for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
      sum += part instanceof HttpRequest request ? request.headers().size() : 1;
      ReferenceCountUtil.release(part);
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    Embedded.receive(channel, requests, READ_BYTES);
    for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
      if (part instanceof HttpRequest request) {
        into.add(request.toString());
      } else if (part instanceof HttpContent content) {
        into.add(content.content());
      }
      ReferenceCountUtil.release(part);
    }
  }

  @Override
  void close() {
    channel.finishAndReleaseAll();
  }
}

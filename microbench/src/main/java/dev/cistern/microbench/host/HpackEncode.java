/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/** Encodes the headers of 16 requests with HPACK, each into a separate buffer. */
public class HpackEncode extends Workload {
  private final Http2Headers[] requests = Http2.requests(16);
  private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();

  @Override
  void open() {}

  @Override
  int operate() throws Http2Exception {
    int bytes = 0;
    for (Http2Headers request : requests) {
      ByteBuf block = ByteBufAllocator.DEFAULT.buffer();
      encoder.encodeHeaders(1, request, block);
      bytes += block.readableBytes();
      block.release();
    }
    return bytes;
  }

  @Override
  void record(Outcome into) throws Http2Exception {
    for (Http2Headers request : requests) {
      ByteBuf block = ByteBufAllocator.DEFAULT.buffer();
      encoder.encodeHeaders(1, request, block);
      into.add(block);
      block.release();
    }
  }

  @Override
  void close() {
    encoder.close();
  }
}

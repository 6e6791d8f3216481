/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Decodes the first 16 header blocks of a new connection with HPACK, each from a separate buffer.
 */
public class HpackDecode extends Workload {
  private final byte[][] blocks = new byte[16][];

  @Override
  void open() throws Http2Exception {
    DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    Http2Headers[] requests = Http2.requests(blocks.length);
    for (int request = 0; request < blocks.length; request++) {
      ByteBuf block = ByteBufAllocator.DEFAULT.buffer();
      encoder.encodeHeaders(1, requests[request], block);
      blocks[request] = new byte[block.readableBytes()];
      block.readBytes(blocks[request]);
      block.release();
    }
    encoder.close();
  }

  @Override
  int operate() throws Http2Exception {
    DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    int headers = 0;
    for (byte[] bytes : blocks) {
      ByteBuf block = ByteBufAllocator.DEFAULT.ioBuffer(bytes.length).writeBytes(bytes);
      headers += decoder.decodeHeaders(1, block).size();
      block.release();
    }
    return headers;
  }

  @Override
  void record(Outcome into) throws Http2Exception {
    DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    for (byte[] bytes : blocks) {
      ByteBuf block = ByteBufAllocator.DEFAULT.ioBuffer(bytes.length).writeBytes(bytes);
      into.saw(block);
      into.add(decoder.decodeHeaders(1, block).toString());
      block.release();
    }
  }
}

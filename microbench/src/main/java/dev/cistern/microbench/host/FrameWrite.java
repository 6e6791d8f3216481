/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Writes headers, three data frames, of which one has padding, and a window update for each of 16
 * streams.
 */
public class FrameWrite extends Workload {
  private static final int[] DATA_BYTES = {64, 1024, 16 << 10};
  private static final int PADDING = 100;

  private final Http2Headers[] requests = Http2.requests(16);
  private final byte[] content = Http1.body(16 << 10);
  private final DefaultHttp2FrameWriter writer = new DefaultHttp2FrameWriter();
  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());

  @Override
  void open() {}

  @SuppressWarnings("FutureReturnValueIgnored") // A failure shows as a missing frame in the output.
  private void write() {
    ChannelHandlerContext context = channel.pipeline().firstContext();
    for (int request = 0; request < requests.length; request++) {
      int stream = 2 * request + 1;
      writer.writeHeaders(context, stream, requests[request], 0, false, context.newPromise());
      for (int bytes : DATA_BYTES) {
        ByteBuf data = context.alloc().buffer(bytes).writeBytes(content, 0, bytes);
        int padding = bytes == 1024 ? PADDING : 0;
        boolean last = bytes == content.length;
        writer.writeData(context, stream, data, padding, last, context.newPromise());
      }
      writer.writeWindowUpdate(context, stream, 1 << 14, context.newPromise());
    }
    channel.flushOutbound();
  }

  /** Returns all frames, as input for a reader. */
  byte[] frames() {
    write();
    ByteBuf all = channel.alloc().buffer();
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      all.writeBytes(sent);
      sent.release();
    }
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    all.release();
    return bytes;
  }

  @Override
  int operate() {
    write();
    return Embedded.discardSent(channel);
  }

  @Override
  void record(Outcome into) {
    write();
    Embedded.recordSent(channel, into);
  }

  @Override
  void close() {
    writer.close();
    channel.finishAndReleaseAll();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Sends 256 KiB over a stream between a client and a server that are connected without a network.
 * That is four times the window, so that the client repeatedly waits until the server has consumed
 * data.
 */
public class FlowControl extends Workload {
  private static final int BYTES = 256 << 10;
  private static final int WRITE_BYTES = 32 << 10;

  private final byte[] content = Http1.body(WRITE_BYTES);
  private final Taker taker = new Taker();
  private final Dropper dropper = new Dropper();
  private final EmbeddedChannel client =
      new EmbeddedChannel(Http2FrameCodecBuilder.forClient().build(), dropper);
  private final EmbeddedChannel server =
      new EmbeddedChannel(Http2FrameCodecBuilder.forServer().build(), taker);

  @Override
  void open() {
    Embedded.exchange(client, server);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a failure is thrown by flushOutbound
  int operate() {
    taker.received = 0;
    Http2FrameStream stream = dropper.newStream();
    DefaultHttp2Headers headers = new DefaultHttp2Headers();
    headers.method("POST").scheme("https").authority("shop.example.org").path("/upload");
    client.writeOneOutbound(new DefaultHttp2HeadersFrame(headers, false).stream(stream));
    for (int sent = 0; sent < BYTES; sent += WRITE_BYTES) {
      ByteBuf data = client.alloc().buffer(WRITE_BYTES).writeBytes(content);
      boolean last = sent + WRITE_BYTES == BYTES;
      client.writeOneOutbound(new DefaultHttp2DataFrame(data, last).stream(stream));
    }
    client.flushOutbound();
    Embedded.exchange(client, server);
    if (taker.received != BYTES) {
      throw new IllegalStateException("received " + taker.received + " of " + BYTES);
    }
    return taker.received;
  }

  @Override
  void record(Outcome into) {
    taker.into = into;
    into.add(operate());
    taker.into = null;
  }

  @Override
  void close() {
    client.finishAndReleaseAll();
    server.finishAndReleaseAll();
  }

  /** Consumes data, returns its window, and responds at the end of the stream. */
  @Sharable
  private static final class Taker extends ChannelInboundHandlerAdapter {
    private int received;
    private @Nullable Outcome into;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2DataFrame data) {
        take(context, data);
      } else if (message instanceof Http2HeadersFrame headers && into != null) {
        into.add(headers.headers().toString());
      }
      ReferenceCountUtil.release(message);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // operate() detects a failure.
    private void take(ChannelHandlerContext context, Http2DataFrame data) {
      received += data.content().readableBytes();
      if (into != null) {
        into.add(data.content());
      }
      context.write(
          new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes())
              .stream(data.stream()));
      if (data.isEndStream()) {
        DefaultHttp2Headers headers = new DefaultHttp2Headers();
        headers.status("200");
        context.write(new DefaultHttp2HeadersFrame(headers, true).stream(data.stream()));
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  /** The client handler, which opens streams and drops all messages that it receives. */
  private static final class Dropper extends Http2ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.List;

/** Reads the frames of {@link FrameWrite} with a new connection's reader, 16 KiB at a time. */
public class FrameRead extends Workload {
  private static final int READ_BYTES = 16 << 10;

  private byte[] frames = new byte[0];
  private final Frames handler = new Frames();
  private final EmbeddedChannel channel = new EmbeddedChannel(handler);

  @Override
  void open() {
    FrameWrite writer = new FrameWrite();
    frames = writer.frames();
    writer.close();
  }

  private void read(Http2FrameAdapter listener) {
    handler.begin(listener);
    Embedded.receive(channel, frames, READ_BYTES);
  }

  @Override
  int operate() {
    Counting counting = new Counting();
    read(counting);
    return counting.sum;
  }

  @Override
  void record(Outcome into) {
    read(new Recording(into));
  }

  @Override
  void close() {
    channel.finishAndReleaseAll();
  }

  /** Joins the rest of one read with the next read, as the handler of a connection does. */
  private static final class Frames extends ByteToMessageDecoder {
    private Http2FrameAdapter listener = new Http2FrameAdapter();
    private DefaultHttp2FrameReader reader = new DefaultHttp2FrameReader();

    void begin(Http2FrameAdapter newListener) {
      reader.close();
      reader = new DefaultHttp2FrameReader();
      listener = newListener;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Http2Exception {
      reader.readFrame(context, in, listener);
    }
  }

  private static final class Counting extends Http2FrameAdapter {
    private int sum;

    @Override
    public int onDataRead(
        ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean last) {
      sum += data.readableBytes() + padding;
      return data.readableBytes() + padding;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context,
        int stream,
        Http2Headers headers,
        int padding,
        boolean last) {
      sum += headers.size();
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int increment) {
      sum += increment;
    }
  }

  private static final class Recording extends Http2FrameAdapter {
    private final Outcome into;

    Recording(Outcome into) {
      this.into = into;
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean last) {
      into.add("data " + stream + " " + padding + " " + last);
      into.add(data);
      return data.readableBytes() + padding;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context,
        int stream,
        Http2Headers headers,
        int padding,
        boolean last) {
      into.add("headers " + stream + " " + headers);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int increment) {
      into.add("window " + stream + " " + increment);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** An HTTP server on Netty 4.1 or 4.2, with the default allocator of its channels. */
final class NettyBurstServer extends ChannelInitializer<Channel> {
  private static final int MAX_REQUEST_BYTES = 1 << 16;

  private final List<EventExecutor> loops = new ArrayList<>();
  private final HeldRequests requests = new HeldRequests(loops);

  private NettyBurstServer() {}

  /** Returns the port. */
  static int start(boolean isBridged) throws InterruptedException {
    if (isBridged) {
      NettySubject.bridged(ByteBufAllocator.DEFAULT);
    }
    NettyBurstServer server = new NettyBurstServer();
    @SuppressWarnings("deprecation") // Netty 4.1 has no alternative
    NioEventLoopGroup group = new NioEventLoopGroup(Bed.LOOPS);
    group.forEach(server.loops::add);
    Channel listener =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(server)
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  protected void initChannel(Channel channel) {
    channel
        .pipeline()
        .addLast(
            new HttpServerCodec(),
            new HttpObjectAggregator(MAX_REQUEST_BYTES),
            new Responder(channel));
  }

  private final class Responder extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final Subject allocator;

    Responder(Channel channel) {
      allocator = NettySubject.own(channel.alloc());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      int loop = loops.indexOf(context.channel().eventLoop());
      requests.hold(request.uri(), loop, allocator, () -> respond(context));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the client sees a missing response
    private void respond(ChannelHandlerContext context) {
      ByteBuf body = context.alloc().directBuffer(1).writeByte('.');
      FullHttpResponse response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
      context.writeAndFlush(response);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the client sees the end of the connection
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      cause.printStackTrace();
      context.close();
    }
  }
}

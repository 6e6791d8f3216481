/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Responds to 64 requests that a client sends at once, with an NIO server. */
public class PlaintextServer extends Workload {
  private static final int REQUESTS = 64;
  private static final byte[] TEXT = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  private final byte[] requests = Http1.requests(REQUESTS);
  private final byte[] answers = new byte[REQUESTS * answerBytes()];
  private @Nullable Served served;

  /** The server, and the client's end of its connection. */
  private record Served(
      EventLoopGroup group, Channel listener, Socket client, DataInputStream in, OutputStream out) {

    static Served start() throws IOException, InterruptedException {
      EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
      Channel listener =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childHandler(new Pipeline())
              .bind(InetAddress.getLoopbackAddress(), 0)
              .sync()
              .channel();
      InetSocketAddress address = (InetSocketAddress) listener.localAddress();
      Socket client = new Socket(address.getAddress(), address.getPort());
      client.setTcpNoDelay(true);
      return new Served(
          group,
          listener,
          client,
          new DataInputStream(client.getInputStream()),
          client.getOutputStream());
    }
  }

  private static int answerBytes() {
    EmbeddedChannel encoder = new EmbeddedChannel(new HttpResponseEncoder());
    encoder.writeOutbound(Http1.answer(Unpooled.wrappedBuffer(TEXT)));
    int bytes = Embedded.discardSent(encoder);
    encoder.finishAndReleaseAll();
    return bytes;
  }

  @Override
  void open() throws IOException, InterruptedException {
    served = Served.start();
  }

  private Served served() {
    if (served == null) {
      throw new IllegalStateException("the server is not started");
    }
    return served;
  }

  @Override
  int operate() throws IOException {
    served().out().write(requests);
    served().in().readFully(answers);
    return answers[answers.length - 1];
  }

  @Override
  void record(Outcome into) throws IOException {
    operate();
    into.add(answers);
    into.saw(served().listener().alloc());
  }

  @Override
  void close() throws IOException, InterruptedException {
    served().client().close();
    served().group().shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private static final class Pipeline extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Answers());
    }
  }

  private static final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // A failure shows as a missing response.
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      var body = context.alloc().buffer(TEXT.length).writeBytes(TEXT);
      context.write(Http1.answer(body), context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}

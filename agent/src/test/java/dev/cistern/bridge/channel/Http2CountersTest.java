/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.stats.ChannelReport.StreamQueues;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The counters of a connection whose peer opens no further window. */
@Timeout(60)
class Http2CountersTest {
  private static final int BYTES = 1 << 20;

  /** The window of a stream and of a connection at their start (RFC 9113, section 6.9.2). */
  private static final int WINDOW = 65_535;

  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  /** Headers of stream 1 that end it: GET, http and / of the static table (RFC 7541). */
  private static final byte[] REQUEST = {
    0, 0, 3, 1, 5, 0, 0, 0, 1, (byte) 0x82, (byte) 0x86, (byte) 0x84
  };

  private final EventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventExecutorGroup handlerGroup = new DefaultEventExecutorGroup(1);
  private final CompletableFuture<Channel> answered = new CompletableFuture<>();

  @AfterEach
  void end() {
    var unused = loops.shutdownGracefully();
    unused = handlerGroup.shutdownGracefully();
  }

  /** A handler that answers a request with more bytes than the window. */
  private final class Answer extends SimpleChannelInboundHandler<Http2Frame> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, Http2Frame frame) {
      if (frame instanceof Http2HeadersFrame request) {
        var unused =
            context.write(
                new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200"))
                    .stream(request.stream()));
        unused =
            context.writeAndFlush(
                new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[BYTES]))
                    .stream(request.stream()));
        answered.complete(context.channel());
      }
    }
  }

  /** Returns the server's side of a connection with one request. */
  private Channel requested(Socket client, EventExecutorGroup handlers) throws Exception {
    InetSocketAddress server =
        (InetSocketAddress)
            new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(
                    new ChannelInitializer<Channel>() {
                      @Override
                      protected void initChannel(Channel channel) {
                        channel
                            .pipeline()
                            .addLast(
                                handlers, Http2FrameCodecBuilder.forServer().build(), new Answer());
                      }
                    })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel()
                .localAddress();
    client.connect(server);
    client.getOutputStream().write(request());
    return answered.get();
  }

  private static byte[] request() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    bytes.write(SETTINGS);
    bytes.write(REQUEST);
    return bytes.toByteArray();
  }

  @Test
  void bytesBeyondTheWindowWaitInTheirStream() throws Exception {
    try (Socket client = new Socket()) {
      Channel channel = requested(client, loops);
      Http2Counters counters = Http2Counters.of(channel.pipeline(), null);
      assertThat(Http2Counters.of(channel.pipeline(), counters)).isSameAs(counters);
      Http2Counters.Values values = counters.read();
      assertThat(values)
          .isEqualTo(new Http2Counters.Values(1, 1, Http2Counters.UNKNOWN, BYTES - WINDOW, 0));
      CountDownLatch isRequested = new CountDownLatch(1);
      var unused = channel.eventLoop().submit(() -> isRequested.await(60, TimeUnit.SECONDS));
      assertThat(counters.streams(channel.pipeline(), values))
          .isEqualTo(new StreamQueues(1, BYTES - WINDOW, 0, 0, 0));
      isRequested.countDown();
      channel.eventLoop().submit(() -> {}).sync();
      assertThat(counters.streams(channel.pipeline(), values))
          .isEqualTo(new StreamQueues(1, BYTES - WINDOW, 1, 1, BYTES - WINDOW));
    }
  }

  /** The event loop is blocked, so that only the thread of the handler can have read them. */
  @Test
  void theThreadOfTheHandlerReadsTheStreams() throws Exception {
    CountDownLatch isRead = new CountDownLatch(1);
    try (Socket client = new Socket()) {
      Channel channel = requested(client, handlerGroup);
      Http2Counters counters = Http2Counters.of(channel.pipeline(), null);
      // The event loop sends the last bytes of the window when the socket is writable again.
      await().until(() -> counters.read().pendingBytes() == BYTES - WINDOW);
      var unused = channel.eventLoop().submit(() -> isRead.await(60, TimeUnit.SECONDS));
      Http2Counters.Values values = counters.read();
      StreamQueues unread = counters.streams(channel.pipeline(), values);
      assertThat(unread.pendingBytes()).isEqualTo(BYTES - WINDOW);
      handlerGroup.next().submit(() -> {}).sync();
      assertThat(counters.streams(channel.pipeline(), values).waiting()).isEqualTo(1);
    } finally {
      isRead.countDown();
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A server on Netty's transport that sends frames back in two slices, and its clients. */
final class ChannelLoad implements AutoCloseable {
  private static final int FRAMES = 10;
  private static final int MAX_FRAME_BYTES = 20_000;
  private static final int LIMIT_MILLIS = 30_000;

  @SuppressWarnings("deprecation") // deprecated in Netty 4.2, and 4.1 has no replacement
  private final EventLoopGroup loops = new NioEventLoopGroup(1);

  private final InetSocketAddress server =
      (InetSocketAddress)
          new ServerBootstrap()
              .group(loops)
              .channel(NioServerSocketChannel.class)
              .childHandler(new Connections())
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .syncUninterruptibly()
              .channel()
              .localAddress();

  /**
   * Opens a connection, sends some frames, and closes it. Returns whether it received all of them.
   */
  boolean isEchoed(SplittableRandom random) throws IOException {
    try (Socket client = new Socket(server.getAddress(), server.getPort())) {
      client.setTcpNoDelay(true);
      client.setSoTimeout(LIMIT_MILLIS);
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(client.getOutputStream());
      for (int frame = 0; frame < FRAMES; frame++) {
        byte[] sent = new byte[random.nextInt(1, MAX_FRAME_BYTES)];
        random.nextBytes(sent);
        out.writeInt(sent.length);
        out.write(sent);
        if (!Arrays.equals(in.readNBytes(sent.length), sent)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Ends the server and its thread. */
  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** The pipeline of each connection. */
  private static final class Connections extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(new LengthFieldBasedFrameDecoder(4 + MAX_FRAME_BYTES, 0, 4, 0, 4))
          .addLast(new Echo());
    }
  }

  /** Sends each frame back. */
  private static final class Echo extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the connection
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      context.write(frame.readRetainedSlice(frame.readableBytes() / 2), context.voidPromise());
      context.writeAndFlush(frame.readRetainedSlice(frame.readableBytes()), context.voidPromise());
    }
  }
}

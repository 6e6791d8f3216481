/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** A Netty server on the loopback address. */
final class Listener {
  private Listener() {}

  /**
   * Starts a server, and returns its port.
   *
   * @param handlers adds the handlers of a connection
   */
  static int open(ByteBufAllocator allocator, Consumer<ChannelPipeline> handlers)
      throws InterruptedException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(new NioEventLoopGroup(2))
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    handlers.accept(channel.pipeline());
                  }
                });
    var server = bootstrap.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    return ((InetSocketAddress) server.localAddress()).getPort();
  }
}

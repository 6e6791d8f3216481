/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The server: an HTTP port, an echo port, and the event loops that both share. */
public final class Server {
  private static final int BACKLOG = 4_096;
  private static final long SHUTDOWN_LIMIT_MILLIS = 3_000;

  private final EventLoopGroup acceptors =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup loops;
  private final AllocatorChoice allocator;
  private final @Nullable Channel http;
  private final @Nullable Channel echo;

  private Server(ServerOptions options, AllocatorChoice allocator) throws IOException {
    this.allocator = allocator;
    loops = new MultiThreadIoEventLoopGroup(options.threads(), NioIoHandler.newFactory());
    http = listen(options.host(), options.httpPort(), HttpHandler::new);
    echo = listen(options.host(), options.echoPort(), EchoHandler::new);
  }

  private @Nullable Channel listen(String host, int port, Supplier<ChannelHandler> handlers)
      throws IOException {
    if (port < 0) {
      return null;
    }
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(acceptors, loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(handlers.get());
                  }
                });
    allocator.install(bootstrap);
    var bound = bootstrap.bind(host, port).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("cannot listen on " + host + ":" + port + ": " + bound.cause());
    }
    return bound.channel();
  }

  /**
   * Starts the server, prints the ready line, serves until SIGTERM or SIGINT. The system property
   * {@code example.allocator} selects the allocator of the connections: {@code netty}, the default,
   * or {@code cistern}.
   */
  public static void main(String[] args) throws IOException {
    ServerOptions options = ServerOptions.parse(List.of(args));
    AllocatorChoice allocator =
        AllocatorChoice.of(System.getProperty("example.allocator", "netty"));
    Server server;
    try {
      server = new Server(options, allocator);
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
    System.out.println("ready http=" + port(server.http) + " echo=" + port(server.echo));
    if (options.endWithInput()) {
      System.in.transferTo(OutputStream.nullOutputStream());
      System.exit(0);
    }
  }

  private static int port(@Nullable Channel channel) {
    return channel == null ? -1 : ((InetSocketAddress) channel.localAddress()).getPort();
  }

  private void close() {
    for (EventLoopGroup group : List.of(acceptors, loops)) {
      group
          .shutdownGracefully(0, SHUTDOWN_LIMIT_MILLIS, TimeUnit.MILLISECONDS)
          .awaitUninterruptibly(SHUTDOWN_LIMIT_MILLIS);
    }
    allocator.report(System.err);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.Version;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server: one plain and one TLS listener that share their event loops. */
public final class Server implements AutoCloseable {
  private static final int BACKLOG = 1_024;
  private static final long SHUTDOWN_LIMIT_MILLIS = 3_000;

  private final EventLoopGroup acceptors;
  private final EventLoopGroup loops;
  private final Channel plain;
  private final @Nullable Channel tls;

  private Server(
      EventLoopGroup acceptors, EventLoopGroup loops, Channel plain, @Nullable Channel tls) {
    this.acceptors = acceptors;
    this.loops = loops;
    this.plain = plain;
    this.tls = tls;
  }

  /** Starts the server, prints the ready line, serves until SIGTERM or SIGINT. */
  public static void main(String[] args) throws Exception {
    ServerOptions options;
    try {
      options = ServerOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.println(ServerOptions.USAGE);
      System.exit(2);
      return;
    }
    try {
      Server server = start(options);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
      System.out.println(server.readyLine());
      if (options.endWithInput()) {
        endWithInput();
      }
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  /**
   * Binds both listeners.
   *
   * @throws IOException if a port is in use or no certificate can be created; the message names the
   *     option
   */
  public static Server start(ServerOptions options) throws IOException {
    Certificate certificate = options.tlsPort() < 0 ? null : Certificate.make();
    EventLoopGroup acceptors = new NioEventLoopGroup(1);
    EventLoopGroup loops = new NioEventLoopGroup(options.threads());
    try {
      Router router = new Router(certificate == null ? "" : certificate.pem());
      Channel plain = listen(options, "--port", options.port(), acceptors, loops, null, router);
      Channel tls = null;
      if (certificate != null) {
        SslContext context = certificate.sslContext();
        tls = listen(options, "--tls-port", options.tlsPort(), acceptors, loops, context, router);
      }
      return new Server(acceptors, loops, plain, tls);
    } catch (IOException | RuntimeException e) {
      shutDown(acceptors, loops);
      throw e;
    }
  }

  /** Returns the plain HTTP port. */
  public int port() {
    return portOf(plain);
  }

  /** Returns the HTTPS port, or -1 if there is none. */
  public int tlsPort() {
    return tls == null ? -1 : portOf(tls);
  }

  /** Returns {@code ready http=PORT https=PORT netty=VERSION pid=PID}. */
  private String readyLine() {
    return String.format(
        "ready http=%d https=%d netty=%s pid=%d",
        port(), tlsPort(), nettyVersion(), ProcessHandle.current().pid());
  }

  static String nettyVersion() {
    Version version = Version.identify(Server.class.getClassLoader()).get("netty-buffer");
    return version == null ? "unknown" : version.artifactVersion();
  }

  /** Stops listening, closes the connections, and ends the event loops. */
  @Override
  public void close() {
    plain.close().awaitUninterruptibly();
    if (tls != null) {
      tls.close().awaitUninterruptibly();
    }
    shutDown(acceptors, loops);
  }

  private static Channel listen(
      ServerOptions options,
      String option,
      int port,
      EventLoopGroup acceptors,
      EventLoopGroup loops,
      @Nullable SslContext context,
      Router router)
      throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(acceptors, loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Connections(context, router));
    var bound = bootstrap.bind(options.host(), port).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen on " + options.host() + ":" + port + " (" + option + "): " + bound.cause(),
          bound.cause());
    }
    return bound.channel();
  }

  private static int portOf(Channel channel) {
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  private static void shutDown(EventLoopGroup... groups) {
    List<Future<?>> ended = new ArrayList<>();
    for (EventLoopGroup group : groups) {
      ended.add(group.shutdownGracefully(0, SHUTDOWN_LIMIT_MILLIS, TimeUnit.MILLISECONDS));
    }
    for (Future<?> end : ended) {
      end.awaitUninterruptibly(SHUTDOWN_LIMIT_MILLIS);
    }
  }

  private static void endWithInput() throws IOException {
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.plain;

import example.hosts.common.Lifetime;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/** Serves plain HTTP, and HTTPS if there is a key. */
public final class PlainHost {
  private PlainHost() {}

  /**
   * Serves until the standard input closes.
   *
   * @param arguments {@code nio} or {@code epoll}; for HTTPS also {@code JDK} or {@code OPENSSL}, a
   *     PKCS12 file and its password
   */
  public static void main(String[] arguments) throws Exception {
    Lifetime.serve(start(arguments));
  }

  /** Binds the listeners and returns their ports. */
  public static int[] start(String... arguments) throws IOException, GeneralSecurityException {
    boolean epoll = arguments[0].equals("epoll");
    ServerBootstrap bootstrap = epoll ? onEpoll() : onNio();
    int port = listen(bootstrap, null);
    if (arguments.length == 1) {
      return new int[] {port};
    }
    SslContext context =
        SslContextBuilder.forServer(keys(Path.of(arguments[2]), arguments[3]))
            .sslProvider(SslProvider.valueOf(arguments[1]))
            .build();
    return new int[] {port, listen(bootstrap, context)};
  }

  // Both calls are in separate methods, so that the annotation covers nothing else.
  @SuppressWarnings("deprecation") // deprecated in Netty 4.2, without an alternative on 4.1
  private static ServerBootstrap onNio() {
    return bootstrap(new NioEventLoopGroup(2), NioServerSocketChannel.class);
  }

  @SuppressWarnings("deprecation") // deprecated in Netty 4.2, without an alternative on 4.1
  private static ServerBootstrap onEpoll() {
    return bootstrap(new EpollEventLoopGroup(2), EpollServerSocketChannel.class);
  }

  private static ServerBootstrap bootstrap(
      EventLoopGroup loops, Class<? extends ServerChannel> channel) {
    return new ServerBootstrap().group(loops).channel(channel);
  }

  private static int listen(ServerBootstrap bootstrap, @Nullable SslContext context) {
    var bound =
        bootstrap
            .clone()
            .childHandler(new Connections(context))
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly();
    return ((InetSocketAddress) bound.channel().localAddress()).getPort();
  }

  private static KeyManagerFactory keys(Path file, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password.toCharArray());
    return keys;
  }
}

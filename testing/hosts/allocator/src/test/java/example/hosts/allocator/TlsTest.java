/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.netty.CisternAllocator;
import dev.cistern.testing.LoopbackKey;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS of the JDK and of BoringSSL, over NIO and over epoll. */
class TlsTest {
  private static final int MESSAGES = 100;
  private static final int BYTES = 20_000;
  private static final long PATIENCE_SECONDS = 30;
  private static final String PASSWORD = "password";

  @TempDir static Path directory;

  private static KeyStore keys;

  private EventLoopGroup group;

  @BeforeAll
  static void makeKey() throws Exception {
    keys = LoopbackKey.create(directory.resolve("keys.p12"), "test", PASSWORD);
  }

  private static SslContext serverContext(SslProvider provider) throws Exception {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    return SslContextBuilder.forServer(managers).sslProvider(provider).build();
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      assertThat(((ByteBuf) message).alloc()).isSameAs(CisternAllocator.DEFAULT);
      ChannelFuture unused = context.writeAndFlush(message);
    }
  }

  private static final class Receiver extends ChannelInboundHandlerAdapter {
    private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      int bytes = buffer.readableBytes();
      buffer.release();
      received.add(bytes);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    group.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS).sync();
    Served.allReturned();
  }

  @ParameterizedTest
  @CsvSource({"JDK, nio", "JDK, epoll", "OPENSSL, nio", "OPENSSL, epoll"})
  void recordsAreServedByThePool(SslProvider provider, String transport) throws Exception {
    boolean epoll = transport.equals("epoll");
    IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    group = new MultiThreadIoEventLoopGroup(2, handlers);
    SslContext ofServer = serverContext(provider);
    SslContext ofClient =
        SslContextBuilder.forClient()
            .sslProvider(provider)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .build();
    Served served = new Served(); // keys and certificates use Netty's buffers
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(ofServer.newHandler(channel.alloc()), new Echo());
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    Receiver receiver = new Receiver();
    Channel client =
        new Bootstrap()
            .group(group)
            .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
            .option(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(ofClient.newHandler(channel.alloc()), receiver);
                  }
                })
            .connect(server.localAddress())
            .sync()
            .channel();
    for (int i = 0; i < MESSAGES; i++) {
      client.writeAndFlush(client.alloc().buffer(BYTES).writeZero(BYTES)).sync();
      for (int left = BYTES; left > 0; ) {
        Integer bytes = receiver.received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(bytes).as("an answer").isNotNull();
        left -= bytes;
      }
    }
    client.close().sync();
    server.close().sync();
    served.atLeast(4 * MESSAGES);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.ChannelReport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.CisternChannels;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watch of channels. The test makes the calls of the instrumented registration. */
class ChannelWatchTest {
  private static final int MESSAGE_BYTES = 64 << 10;
  private static final int ROUNDS = 5_000;
  private static final int REGISTRATIONS = 100;

  private final ChannelWatch watch = new ChannelWatch();
  private final EventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoopGroup peers = new NioEventLoopGroup(1);
  private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private Channel server;

  @ChannelHandler.Sharable
  private static final class Quiet extends ChannelInboundHandlerAdapter {}

  @BeforeEach
  void serve() throws InterruptedException {
    server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast("orders", new Quiet());
                    channel.pipeline().addLast(new Quiet());
                    accepted.add(channel);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    watch.turn(true);
  }

  @AfterEach
  void end() {
    watch.turn(false);
    var unused = loops.shutdownGracefully();
    unused = peers.shutdownGracefully();
  }

  /** Connects a peer that reads nothing, and returns the server's side of the connection. */
  private Channel connect() throws InterruptedException {
    Channel unused =
        new Bootstrap()
            .group(peers)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.AUTO_READ, false)
            .handler(new Quiet())
            .connect(server.localAddress())
            .sync()
            .channel();
    Channel channel = accepted.take();
    channel.eventLoop().submit(() -> {}).sync(); // its registration is complete
    return channel;
  }

  private void register(Channel channel) {
    CisternChannels.registered(
        channel.eventLoop(), new DefaultChannelPromise(channel, channel.eventLoop()));
  }

  /** Writes until the buffers of both sockets are full and the channel has pending bytes. */
  private static void fill(Channel channel) throws InterruptedException {
    channel
        .eventLoop()
        .submit(
            () -> {
              while (channel.isWritable()) {
                var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[MESSAGE_BYTES]));
              }
            })
        .sync();
  }

  @Test
  void aChannelThatIsNotReadHasPendingBytesWithTheirAge() throws InterruptedException {
    Channel channel = connect();
    register(channel);
    fill(channel);
    watch.poll();
    watch.poll();
    watch.poll();
    long pendingBytes = channel.unsafe().outboundBuffer().totalPendingWriteBytes();
    ChannelReport report = watch.report();
    assertThat(report.channels()).isEqualTo(1);
    assertThat(report.unwritable()).isEqualTo(1);
    assertThat(report.pendingBytes()).isEqualTo(pendingBytes).isGreaterThan(MESSAGE_BYTES);
    assertThat(report.largestBytes()).isEqualTo(pendingBytes);
    assertThat(report.notWatched()).isZero();
    InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
    assertThat(report.largest())
        .containsExactly(
            new ChannelReport.Queue(
                channel.id().asShortText(),
                "127.0.0.1:" + peer.getPort(),
                "orders > ChannelWatchTest$Quiet",
                pendingBytes,
                ChannelReport.StreamQueues.NONE,
                3_000,
                3_000));
    assertThat(report.shapes())
        .containsExactly(
            new ChannelReport.Shape(
                "orders > ChannelWatchTest$Quiet", 1, pendingBytes, pendingBytes));
  }

  @Test
  void channelsFromBeforeTheWatchAreListedByTheirEventLoop() throws InterruptedException {
    Channel older = connect();
    register(connect());
    watch.poll(); // lists the channels of the loop
    older.eventLoop().submit(() -> {}).sync();
    watch.poll();
    assertThat(watch.report().channels()).isEqualTo(2);
  }

  @Test
  void aClosedChannelIsForgotten() throws InterruptedException {
    Channel channel = connect();
    register(channel);
    fill(channel);
    watch.poll();
    channel.close().sync();
    watch.poll();
    assertThat(watch.report().channels()).isZero();
    assertThat(watch.report().largest()).isEmpty();
    assertThat(watch.report().pendingBytes()).isZero();
  }

  /** A channel class of an application that fails. */
  private static final class Broken extends EmbeddedChannel {
    @Override
    public SocketAddress remoteAddress() {
      throw new IllegalStateException("injected");
    }
  }

  @Test
  void aChannelThatFailsLosesOnlyItsOwnEntry() throws InterruptedException {
    Broken broken = new Broken();
    assertThat(broken.write(Unpooled.wrappedBuffer(new byte[MESSAGE_BYTES])).isDone()).isFalse();
    Channel channel = connect();
    CisternChannels.registered(
        channel.eventLoop(), new DefaultChannelPromise(broken, channel.eventLoop()));
    register(channel);
    fill(channel);
    watch.poll();
    assertThat(watch.report().channels()).isEqualTo(2);
    assertThat(watch.report().largest())
        .extracting(ChannelReport.Queue::id)
        .containsExactly(channel.id().asShortText());
  }

  @Test
  void aChannelInUseIsAddedIfItsEventLoopHasNoList() throws InterruptedException {
    EventLoopGroup unlisted = new DefaultEventLoopGroup(1);
    try {
      Channel channel = new LocalChannel();
      unlisted.register(channel).sync();
      ChannelHandlerContext context = channel.pipeline().addLast(new Quiet()).firstContext();
      assertThat(watch.handler(context).name()).isEqualTo(Quiet.class.getName());
      channel.eventLoop().submit(() -> {}).sync(); // it has refused to list its channels
      assertThat(watch.handler(context)).isNotNull();
      assertThat(watch.handler(context)).isNotNull();
      watch.poll();
      assertThat(watch.report().channels()).isEqualTo(1);
    } finally {
      var unused = unlisted.shutdownGracefully();
    }
  }

  @Test
  void nothingIsLeftWhenItEnds() throws InterruptedException {
    Channel channel = connect();
    register(channel);
    watch.poll();
    watch.turn(false);
    register(channel);
    watch.turn(true);
    watch.poll();
    assertThat(watch.report().channels()).isZero();
    watch.turn(false);
    assertThat(watch.report()).isSameAs(ChannelReport.NONE);
  }

  @Test
  @Timeout(60)
  void aRegistrationDuringTheEndLeavesNothing() throws Exception {
    Channel channel = connect();
    ExecutorService applicationThread = Executors.newSingleThreadExecutor();
    CyclicBarrier start = new CyclicBarrier(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        watch.turn(true);
        Future<?> registration =
            applicationThread.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < REGISTRATIONS; i++) {
                    register(channel);
                  }
                  return null;
                });
        start.await();
        watch.turn(false);
        registration.get();
        watch.turn(true);
        watch.poll();
        assertThat(watch.report().channels()).as("round %d", round).isZero();
      }
    } finally {
      applicationThread.shutdownNow();
    }
  }

  /** A channel that ends the watch during a poll of the channel, if {@code ends} is set. */
  private final class Late extends NioSocketChannel {
    boolean ends;

    @Override
    public boolean isRegistered() {
      if (ends) {
        watch.turn(false);
      }
      return super.isRegistered();
    }
  }

  @Test
  void anEventLoopThatListsNothingAfterTheEndListsItsChannelsInTheNextWatch()
      throws InterruptedException {
    Late channel = new Late();
    loops.register(channel).sync();
    ChannelHandlerContext context = channel.pipeline().addLast(new Quiet()).firstContext();
    channel.ends = true;
    try {
      assertThat(watch.handler(context)).isNotNull();
      channel.eventLoop().submit(() -> {}).sync();
    } finally {
      channel.ends = false;
    }
    watch.turn(true);
    assertThat(watch.handler(context)).isNotNull();
    channel.eventLoop().submit(() -> {}).sync();
    watch.poll();
    assertThat(watch.report().channels()).isEqualTo(1);
  }

  @Test
  @Timeout(60)
  void channelsAreKeptAliveByNothingOfTheWatch() throws InterruptedException {
    WeakReference<Channel> channel = closed();
    while (channel.get() != null) {
      System.gc();
      loops.next().submit(() -> {}).sync();
    }
    assertThat(channel.get()).isNull();
  }

  private WeakReference<Channel> closed() throws InterruptedException {
    Channel channel = connect();
    register(channel);
    fill(channel);
    watch.poll();
    channel.close().sync();
    return new WeakReference<>(channel);
  }
}

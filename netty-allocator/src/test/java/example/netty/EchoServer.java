/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.netty.CisternAllocator;
import dev.cistern.netty.CisternBufs;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server and a client on one allocator, for a separate JVM. It prints the allocations of the
 * pools, and fails if a buffer is from another allocator or is not released.
 */
@SuppressWarnings("deprecation") // NioEventLoopGroup is deprecated in 4.2, and 4.1 has no other
public final class EchoServer {
  private static final CisternAllocator ALLOCATOR = CisternAllocator.DEFAULT;
  private static final int[] SIZES = {1, 64, 1_000, 8_000, 64_000, 300_000};
  private static final int ROUNDS = 20;
  private static final long PATIENCE_SECONDS = 60;

  private EchoServer() {}

  /** A handler that echoes buffers, each of which must be from the pool. */
  @Sharable
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      require(buffer.alloc() == ALLOCATOR, "buffer of " + buffer.alloc());
      ChannelFuture unused = context.writeAndFlush(buffer);
    }
  }

  /** A handler that counts the received bytes. */
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

  public static void main(String[] arguments) throws Exception {
    embedded();
    wrapped();
    boolean isLeaking = arguments.length > 0;
    loopback(isLeaking);
    if (isLeaking) {
      System.out.println("quarantined " + ALLOCATOR.pools().get(0).pinnedBytes());
      leak();
    }
    requireCounted();
    System.out.println("pool direct served " + allocations(ALLOCATOR.pools().get(0)));
    System.out.println("module " + CisternAllocator.class.getModule().getName());
    System.out.println("done");
  }

  /** Checks that the chunks count in Netty's account or in that of the JVM. */
  private static void requireCounted() {
    long counted = PlatformDependent.usedDirectMemory();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      counted = Math.max(counted, pool.getName().equals("direct") ? pool.getMemoryUsed() : 0);
    }
    long reserved = ALLOCATOR.metric().usedDirectMemory();
    require(reserved > 0 && counted >= reserved, counted + " of " + reserved + " bytes count");
  }

  private static void embedded() {
    EmbeddedChannel channel = new EmbeddedChannel(new Echo());
    channel.config().setAllocator(ALLOCATOR);
    channel.writeInbound(channel.alloc().buffer().writeInt(7));
    ByteBuf echoed = channel.readOutbound();
    require(echoed.readInt() == 7 && echoed.release(), "embedded channel");
    channel.finishAndReleaseAll();
  }

  /** Checks both kinds of wrapper with this version of Netty. */
  private static void wrapped() {
    ByteBuf origin = ALLOCATOR.directBuffer(64).writeInt(1).writeLong(2);
    dev.cistern.buffer.ByteBuf there = CisternBufs.wrap(origin);
    byte[] bytes = new byte[Integer.BYTES];
    there.readBytes(bytes).setLong(there.readerIndex(), 3);
    require(bytes[3] == 1 && origin.getLong(4) == 3 && there.release(), "wrapped for the library");
    dev.cistern.buffer.ByteBuf source =
        PooledByteBufAllocator.DEFAULT.heapBuffer(64).writeInt(1).writeLong(2);
    ByteBuf back = CisternBufs.wrap(source);
    ByteBuf copy = ALLOCATOR.heapBuffer().writeBytes(back);
    require(copy.readInt() == 1 && copy.readLong() == 2, "wrapped for Netty");
    require(copy.release() && back.release() && source.refCnt() == 0, "counts of the wrappers");
  }

  private static void loopback(boolean isQuarantined) throws Exception {
    EventLoopGroup group = new NioEventLoopGroup(2);
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childOption(ChannelOption.ALLOCATOR, ALLOCATOR)
              .childHandler(new Echo())
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .sync()
              .channel();
      Receiver receiver = new Receiver();
      Channel client =
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .option(ChannelOption.ALLOCATOR, ALLOCATOR)
              .handler(receiver)
              .connect(server.localAddress())
              .sync()
              .channel();
      for (int round = 0; round < ROUNDS; round++) {
        for (int size : SIZES) {
          exchange(client, receiver, size);
        }
      }
      client.close().sync();
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS).sync();
    }
    for (PoolSnapshot pool : ALLOCATOR.pools()) {
      require(
          isQuarantined || pool.pinnedBytes() == 0, pool.pinnedBytes() + " bytes did not return");
    }
  }

  private static void exchange(Channel client, Receiver receiver, int size) throws Exception {
    client.writeAndFlush(client.alloc().buffer(size).writeZero(size)).sync();
    for (int left = size; left > 0; ) {
      Integer bytes = receiver.received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      require(bytes != null, "no answer");
      left -= bytes;
    }
  }

  /** Leaks buffers with a hint, and prints the leaks that the detector found. */
  private static void leak() throws InterruptedException {
    Leaker.leakUntil(() -> ALLOCATOR.leaks(StackDetail.FRAMES).watched() > 0);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (ALLOCATOR.leaks(StackDetail.FRAMES).entries().isEmpty()) {
      require(System.nanoTime() - deadline < 0, "no leak was found");
      System.gc();
      Thread.sleep(20); // the detector's thread finds it
    }
    System.out.println(ALLOCATOR.leaks(StackDetail.FRAMES).entries().get(0).latest().toText());
  }

  private static long allocations(PoolSnapshot pool) {
    long sum = 0;
    for (SizeGroup group : SizeGroup.values()) {
      sum += pool.allocations(group);
    }
    return sum;
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}

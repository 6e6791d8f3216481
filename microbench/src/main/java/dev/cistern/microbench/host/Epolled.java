/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client and an echo server on Netty's native transport, which reads the addresses of buffers.
 * Both run on one event loop, so that the benchmark measures their work and not how fast the system
 * wakes threads.
 */
public abstract class Epolled extends Workload {
  private static final long LIMIT_SECONDS = 30;

  private final Client client = new Client();
  private @Nullable EventLoopGroup group;
  private @Nullable Channel channel;

  /** Returns the reason why epoll is not available, or null. */
  static @Nullable String withoutEpoll() {
    return Epoll.isAvailable() ? null : "no native transport for this system";
  }

  /** Returns how often the client sends in one operation. */
  abstract int turns();

  /** Returns the number of bytes that the client sends each time. */
  abstract int turnBytes();

  /** Sends the bytes of one turn. */
  abstract void send(Channel to);

  @Override
  final void open() throws InterruptedException {
    group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    Channel listener =
        new ServerBootstrap()
            .group(group)
            .channel(EpollServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel accepted) {
                    accepted.pipeline().addLast(new Echo());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    channel =
        new Bootstrap()
            .group(group)
            .channel(EpollSocketChannel.class)
            .handler(client)
            .connect(listener.localAddress())
            .sync()
            .channel();
  }

  private Channel channel() {
    if (channel == null) {
      throw new IllegalStateException("not connected");
    }
    return channel;
  }

  private int turn(@Nullable Outcome into) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Channel to = channel();
    to.eventLoop()
        .execute(
            () -> {
              client.begin(end, into);
              client.next(to);
            });
    if (!end.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no answer within " + LIMIT_SECONDS + " s");
    }
    return turns();
  }

  @Override
  final int operate() throws InterruptedException {
    return turn(null);
  }

  @Override
  final void record(Outcome into) throws InterruptedException {
    into.add(turn(into));
  }

  @Override
  final void close() throws InterruptedException {
    if (group != null) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  /**
   * The client, which sends again when all bytes of the last turn are back. Used only by the event
   * loop.
   */
  private final class Client extends SimpleChannelInboundHandler<ByteBuf> {
    private CountDownLatch end = new CountDownLatch(0);
    private @Nullable Outcome into;
    private int turnsLeft;
    private int bytesLeft;

    void begin(CountDownLatch newEnd, @Nullable Outcome newInto) {
      end = newEnd;
      into = newInto;
      turnsLeft = turns();
    }

    void next(Channel to) {
      turnsLeft--;
      bytesLeft = turnBytes();
      send(to);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf received) {
      if (into != null) {
        into.addPart(received);
      }
      bytesLeft -= received.readableBytes();
      if (bytesLeft > 0) {
        return;
      }
      if (turnsLeft > 0) {
        next(context.channel());
      } else {
        end.countDown();
      }
    }
  }

  /** The server, which sends back all that it receives. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The response then times out.
    public void channelRead(ChannelHandlerContext context, Object received) {
      context.write(received, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}

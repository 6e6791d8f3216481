/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Servers that receive much from their clients: bodies over HTTP, and frames over TCP. */
final class Uploads {
  private static final int MAX_BODY = 64 * Shop.MIB;

  private Uploads() {}

  /**
   * Receives bodies of {@code body} KiB from {@code clients} clients. Each sends {@code first} KiB
   * at once and then {@code rate} KiB a second. An aggregator joins a body, or with {@code
   * how=queue} the parts wait for a thread that reads as much as the clients send.
   */
  static void bodies(Shop shop) throws Exception {
    int clients = shop.number("clients", 64);
    int rate = shop.number("rate", 1);
    int port = Listener.open(shop.allocator(), receiver(shop, clients * rate));
    shop.ready();
    for (int i = 0; i < clients; i++) {
      Client client = new Client(port, rate);
      Shop.start("client-" + (i + 1), () -> upload(shop, client));
    }
  }

  private static Consumer<ChannelPipeline> receiver(Shop shop, int rate) {
    if (shop.is("how", "queue")) {
      BlockingQueue<ByteBuf> queue = new LinkedBlockingQueue<>();
      AtomicLong waiting = new AtomicLong();
      Shop.start("shop-index-1", () -> index(shop, queue, waiting, new Pace(rate * Shop.KIB)));
      return pipeline -> pipeline.addLast(new HttpServerCodec(), new Enqueue(queue, waiting));
    }
    return pipeline ->
        pipeline.addLast(new HttpServerCodec(), new HttpObjectAggregator(MAX_BODY), new Accept());
  }

  private static void upload(Shop shop, Client client) throws IOException, InterruptedException {
    int body = shop.number("body", 32 * Shop.KIB) * Shop.KIB;
    int first = shop.number("first", Shop.KIB) * Shop.KIB;
    while (true) {
      client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: " + body + "\r\n\r\n");
      client.send(new byte[first]);
      client.sendSlowly(body - first);
      client.read();
    }
  }

  private static void index(Shop shop, BlockingQueue<ByteBuf> queue, AtomicLong waiting, Pace pace)
      throws InterruptedException {
    while (true) {
      ByteBuf part = queue.take();
      int bytes = part.readableBytes();
      pace.spend(bytes);
      part.release();
      shop.fact("waiting", waiting.addAndGet(-bytes));
    }
  }

  /** Answers a whole body. */
  private static final class Accept extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      var response =
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT);
      ChannelFuture unused = context.writeAndFlush(response);
    }
  }

  /** Passes the parts of bodies to another thread. */
  private static final class Enqueue extends SimpleChannelInboundHandler<HttpObject> {
    private final BlockingQueue<ByteBuf> queue;
    private final AtomicLong waiting;

    Enqueue(BlockingQueue<ByteBuf> queue, AtomicLong waiting) {
      this.queue = queue;
      this.waiting = waiting;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
      if (message instanceof HttpContent part) {
        waiting.addAndGet(part.content().readableBytes());
        queue.add(part.content().retain());
      }
    }
  }

  /**
   * Receives frames of {@code size} KiB, {@code rate} KiB a second, and keeps a part of each of the
   * last {@code entries}, as {@code how} says.
   */
  static void frames(Shop shop) throws Exception {
    int size = shop.number("size", Shop.KIB) * Shop.KIB;
    int port =
        Listener.open(
            shop.allocator(),
            pipeline ->
                pipeline.addLast(
                    new LengthFieldBasedFrameDecoder(2 * Shop.MIB, 0, 4, 0, 4), new Cache(shop)));
    Client client = new Client(port, shop.number("rate", 4 * Shop.KIB));
    shop.ready();
    Shop.start(
        "client-1",
        () -> {
          while (true) {
            client.send(ByteBuffer.allocate(4).putInt(size).array());
            client.sendSlowly(size);
          }
        });
  }

  /** Keeps the head of each frame, or a copy of the frame. */
  private static final class Cache extends ChannelInboundHandlerAdapter {
    private static final int HEAD = 64;

    private final Shop shop;
    private final int limit;
    private final ArrayDeque<ByteBuf> entries = new ArrayDeque<>();

    Cache(Shop shop) {
      this.shop = shop;
      limit = shop.number("entries", 100);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      entries.add(entry(context, (ByteBuf) message));
      if (entries.size() > limit) {
        entries.remove().release();
      }
      shop.fact("entries", entries.size());
    }

    /** Returns what is kept of a frame, whose reference it takes. */
    private ByteBuf entry(ChannelHandlerContext context, ByteBuf frame) {
      if (shop.is("how", "shared")) {
        return frame.slice(0, HEAD);
      }
      try {
        if (shop.is("how", "copy")) {
          return context.alloc().directBuffer(frame.readableBytes()).writeBytes(frame);
        }
        if (shop.is("how", "nested")) {
          ByteBuf header = frame.retainedSlice(0, Shop.KIB);
          ByteBuf entry = header.retainedSlice(0, HEAD);
          header.release();
          return entry;
        }
        return frame.retainedSlice(0, HEAD);
      } finally {
        frame.release();
      }
    }
  }
}

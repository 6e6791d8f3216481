/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Servers that send much to their clients: exports over HTTP, and prices over WebSocket. */
final class Downloads {
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop\r\n";
  private static final String UPGRADE =
      """
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      """;

  /** Types of HTTP/2 frames. */
  private static final int HEADERS = 1;

  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;

  /** A request in the static table of HPACK: GET, http, and the path /. */
  private static final byte[] REQUEST = {(byte) 0x82, (byte) 0x86, (byte) 0x84};

  private static final int END_OF_REQUEST = 5;

  private final Shop shop;
  private final boolean isHttp2;
  private final int size;
  private final int limit;
  private final Semaphore pending;

  private Downloads(Shop shop) {
    this.shop = shop;
    isHttp2 = shop.is("protocol", "http2");
    size = shop.number("size", 64) * Shop.KIB;
    limit = (int) shop.mib("mib", 256);
    pending = new Semaphore(limit);
  }

  /**
   * Streams 200 MB to each of {@code clients} clients, which read {@code rate} KiB a second. With
   * {@code polite=yes}, only while their channel is writable; otherwise until {@code mib} MiB are
   * pending.
   */
  static void export(Shop shop) throws Exception {
    Downloads downloads = new Downloads(shop);
    boolean isPolite = shop.is("polite", "yes");
    int port =
        Listener.open(
            shop.allocator(),
            pipeline -> downloads.addHandlers(pipeline, downloads.new Export(isPolite)));
    for (int i = 0; i < shop.number("clients", 4); i++) {
      Client client = new Client(port, shop.number("rate", 10));
      client.send(
          downloads.isHttp2 ? http2Request() : (GET + "\r\n").getBytes(StandardCharsets.US_ASCII));
      Shop.start("client-" + (i + 1), () -> downloads.read(client));
    }
    shop.ready();
  }

  private void addHandlers(ChannelPipeline pipeline, Export export) {
    if (isHttp2) {
      pipeline.addLast(
          Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(export));
    } else {
      pipeline.addLast(new HttpServerCodec(), export);
    }
  }

  private void read(Client client) throws IOException, InterruptedException {
    while (true) {
      int count = client.read();
      if (isHttp2) {
        ByteBuffer updates = ByteBuffer.allocate(26);
        updates.put(frame(WINDOW_UPDATE, 0, 0, number(count)));
        updates.put(frame(WINDOW_UPDATE, 0, 1, number(count)));
        client.send(updates.array());
      }
    }
  }

  private static byte[] http2Request() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    bytes.write(frame(SETTINGS, 0, 0, new byte[0]));
    bytes.write(frame(HEADERS, END_OF_REQUEST, 1, REQUEST));
    return bytes.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt(payload.length << 8 | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** Answers each request with a long response. */
  @Sharable
  private final class Export extends ChannelInboundHandlerAdapter {
    private static final long BYTES = 200L * 1000 * 1000;

    private final boolean isPolite;

    Export(boolean isPolite) {
      this.isPolite = isPolite;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      boolean isRequest = message instanceof HttpRequest || message instanceof Http2HeadersFrame;
      ReferenceCountUtil.release(message);
      if (!isRequest) {
        return;
      }
      ChannelFuture unused = context.writeAndFlush(head());
      if (isPolite) {
        fill(context);
      } else {
        Shop.start("shop-export-" + context.channel().id(), () -> stream(context.channel()));
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (isPolite) {
        // later, because the encoder of HTTP/1.1 may be in the middle of a write that led to this
        context.executor().execute(() -> fill(context));
      }
    }

    private void fill(ChannelHandlerContext context) {
      while (context.channel().isWritable()) {
        ChannelFuture unused = context.write(part(context.alloc()));
      }
      context.flush();
    }

    private void stream(Channel channel) throws InterruptedException {
      Pace pace = new Pace(16 * Shop.MIB);
      for (long sent = 0; sent < BYTES; sent += size) {
        pace.spend(size);
        pending.acquire(size);
        channel.writeAndFlush(part(channel.alloc())).addListener(done -> pending.release(size));
        shop.fact("pending", limit - pending.availablePermits());
      }
    }

    private Object head() {
      if (isHttp2) {
        return new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200"));
      }
      HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      HttpUtil.setTransferEncodingChunked(head, true);
      return head;
    }

    private Object part(ByteBufAllocator allocator) {
      ByteBuf part = Shop.filled(allocator, size);
      return isHttp2 ? new DefaultHttp2DataFrame(part) : new DefaultHttpContent(part);
    }
  }

  /**
   * Sends messages to all of {@code clients} clients that read {@code rate} KiB a second and {@code
   * fast} clients that read faster, each message as duplicates of one buffer, {@code send} KiB a
   * second, until {@code mib} MiB of buffers are pending.
   */
  static void broadcast(Shop shop) throws Exception {
    Downloads downloads = new Downloads(shop);
    ByteBufAllocator allocator = shop.allocator();
    ChannelGroup members = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    int slow = shop.number("clients", 16);
    int fast = shop.number("fast", 4);
    CountDownLatch missing = new CountDownLatch(slow + fast);
    int port =
        Listener.open(
            allocator,
            pipeline ->
                pipeline.addLast(
                    new HttpServerCodec(),
                    new HttpObjectAggregator(Shop.KIB),
                    new WebSocketServerProtocolHandler("/"),
                    new Join(members, missing)));
    for (int i = 0; i < slow + fast; i++) {
      Client client = new Client(port, i < slow ? shop.number("rate", 10) : 64 * Shop.KIB);
      client.send(GET + UPGRADE + "\r\n");
      Shop.start("client-" + (i + 1), () -> downloads.read(client));
    }
    missing.await();
    Pace pace = new Pace((double) shop.number("send", 16 * Shop.KIB) * Shop.KIB);
    shop.ready();
    Shop.start("shop-prices-1", () -> downloads.send(members, allocator, pace));
  }

  private void send(ChannelGroup members, ByteBufAllocator allocator, Pace pace)
      throws InterruptedException {
    while (true) {
      pace.spend(size);
      pending.acquire(size);
      members
          .writeAndFlush(new BinaryWebSocketFrame(Shop.filled(allocator, size)))
          .addListener(done -> pending.release(size));
      shop.fact("pending", limit - pending.availablePermits());
    }
  }

  /** Adds a connection to the members after its handshake. */
  private static final class Join extends ChannelInboundHandlerAdapter {
    private final ChannelGroup members;
    private final CountDownLatch missing;

    Join(ChannelGroup members, CountDownLatch missing) {
      this.members = members;
      this.missing = missing;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof HandshakeComplete) {
        members.add(context.channel());
        missing.countDown();
      }
      context.fireUserEventTriggered(event);
    }
  }
}

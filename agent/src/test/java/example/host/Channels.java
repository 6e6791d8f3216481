/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An HTTP server with clients in the same process, which reads orders line by line. Its argument is
 * the kind of event loops: {@code nio}, or {@code io} for the further kind of Netty 4.2.
 *
 * <p>Orders: {@code connect n} (n connections with a request each, which stay open), {@code
 * request} (another request on the latest), {@code stall} (a client that reads nothing of a long
 * response; the answer is its address), {@code upload} (a client that sends a part of a body),
 * {@code pin} (slices of large buffers that the application keeps), {@code collect} (a garbage
 * collection), {@code drop} (ends all of these), {@code closed} (how many closed channels are not
 * collected), {@code watching} (whether the agent's classes in Netty's packages watch channels and
 * buffers), {@code exit}.
 */
public final class Channels {
  private static final int PARTS = 256;
  private static final int PART_BYTES = 64 << 10;
  private static final int UPLOAD_BYTES = 4 << 20;
  private static final int FRAMES = 16;
  private static final int FRAME_BYTES = 1 << 20;
  private static final int SLICE_BYTES = 64;
  private static final int SMALL_WINDOW = 8 << 10;
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final Queue<WeakReference<Channel>> ACCEPTED = new ConcurrentLinkedQueue<>();
  private static final Queue<ByteBuf> SLICES = new ConcurrentLinkedQueue<>();
  private static final List<Socket> CLIENTS = new ArrayList<>();

  private Channels() {}

  public static void main(String[] arguments) throws Exception {
    EventLoopGroup loops = loops(arguments[0]);
    SocketAddress server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(new Connections())
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel()
            .localAddress();
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); !order.equals("exit"); order = in.readLine()) {
      System.out.println(order + ' ' + follow(order, server));
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @SuppressWarnings("deprecation") // deprecated in Netty 4.2, and 4.1 has no replacement
  private static EventLoopGroup loops(String kind) throws ReflectiveOperationException {
    if (kind.equals("nio")) {
      return new NioEventLoopGroup(1);
    }
    Class<?> factory = Class.forName("io.netty.channel.IoHandlerFactory");
    Object handlers =
        Class.forName("io.netty.channel.nio.NioIoHandler").getMethod("newFactory").invoke(null);
    return Class.forName("io.netty.channel.MultiThreadIoEventLoopGroup")
        .asSubclass(EventLoopGroup.class)
        .getConstructor(int.class, factory)
        .newInstance(1, handlers);
  }

  private static String follow(String order, SocketAddress server) throws Exception {
    if (order.startsWith("connect ")) {
      for (int i = Integer.parseInt(order.substring("connect ".length())); i > 0; i--) {
        request(connect(server));
      }
      return "";
    }
    return switch (order) {
      case "request" -> request(CLIENTS.get(CLIENTS.size() - 1));
      case "stall" -> address(send(connect(server), "GET /stream HTTP/1.1\r\n\r\n"));
      case "upload" -> upload(connect(server));
      case "pin" -> pin(connect(server));
      case "drop" -> drop();
      case "collect" -> collect();
      case "closed" -> closed();
      case "watching" -> Watching.state();
      default -> throw new IllegalArgumentException(order);
    };
  }

  private static Socket connect(SocketAddress server) throws IOException {
    Socket client = new Socket();
    client.setReceiveBufferSize(SMALL_WINDOW);
    client.connect(server);
    CLIENTS.add(client);
    return client;
  }

  private static String address(Socket client) {
    return client.getLocalAddress().getHostAddress() + ':' + client.getLocalPort();
  }

  private static Socket send(Socket client, String head) throws IOException {
    client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  private static String request(Socket client) throws IOException {
    return response(send(client, "GET / HTTP/1.1\r\n\r\n"));
  }

  /** Reads a response without a body. */
  private static String response(Socket client) throws IOException {
    String expected = OK + "content-length: 0\r\n\r\n";
    byte[] bytes = client.getInputStream().readNBytes(expected.length());
    String response = new String(bytes, StandardCharsets.US_ASCII);
    if (!response.equals(expected)) {
      throw new IllegalStateException(response);
    }
    return "";
  }

  private static String upload(Socket client) throws IOException {
    send(client, "POST / HTTP/1.1\r\ncontent-length: " + (UPLOAD_BYTES + 1) + "\r\n\r\n");
    client.getOutputStream().write(new byte[UPLOAD_BYTES]);
    return "";
  }

  private static String pin(Socket client) throws IOException {
    return response(send(client, "GET /pin HTTP/1.1\r\n\r\n"));
  }

  private static String drop() throws IOException {
    for (Socket client : CLIENTS) {
      client.close();
    }
    CLIENTS.clear();
    for (ByteBuf slice = SLICES.poll(); slice != null; slice = SLICES.poll()) {
      slice.release();
    }
    await(() -> ACCEPTED.stream().map(WeakReference::get).noneMatch(Channels::isOpen));
    return "";
  }

  private static boolean isOpen(Channel channel) {
    return channel != null && channel.isOpen();
  }

  private static String collect() {
    System.gc();
    return "";
  }

  private static String closed() {
    await(Channels::areCollected);
    return String.valueOf(ACCEPTED.stream().filter(channel -> channel.get() != null).count());
  }

  private static boolean areCollected() {
    System.gc();
    return ACCEPTED.stream().allMatch(channel -> channel.refersTo(null));
  }

  private interface State {
    boolean isReached();
  }

  private static void await(State state) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!state.isReached() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** The pipeline of each connection. */
  private static final class Connections extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      ACCEPTED.add(new WeakReference<>(channel));
      channel
          .pipeline()
          .addLast(new HttpServerCodec())
          .addLast(new HttpObjectAggregator(2 * UPLOAD_BYTES))
          .addLast(new Requests());
    }
  }

  /** Answers requests. */
  private static final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the connection
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      if (request.uri().equals("/stream")) {
        stream(context);
        return;
      }
      if (request.uri().equals("/pin")) {
        keepSlices(context);
      }
      var answer =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
      answer.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
      context.writeAndFlush(answer, context.voidPromise());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection is broken
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      boolean isEndOfClient =
          cause instanceof IOException || cause instanceof PrematureChannelClosureException;
      if (!isEndOfClient) {
        cause.printStackTrace();
      }
      context.close();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a client may never read everything
    private static void stream(ChannelHandlerContext context) {
      var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      head.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, PARTS * PART_BYTES);
      context.write(head, context.voidPromise());
      for (int part = 0; part < PARTS; part++) {
        ByteBuf bytes = context.alloc().directBuffer(PART_BYTES).writeZero(PART_BYTES);
        context.write(new DefaultHttpContent(bytes), context.voidPromise());
      }
      context.flush();
    }

    private static void keepSlices(ChannelHandlerContext context) {
      for (int i = 0; i < FRAMES; i++) {
        ByteBuf frame = context.alloc().directBuffer(FRAME_BYTES).writeZero(FRAME_BYTES);
        SLICES.add(frame.retainedSlice(0, SLICE_BYTES));
        frame.release();
      }
    }
  }
}

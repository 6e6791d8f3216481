/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC client and server over the loopback interface, both on one event loop, so that the
 * benchmark measures their work and not how fast the system wakes threads.
 */
public abstract class Grpc extends Workload {
  private static final String SERVICE = "example.Echo";
  private static final long LIMIT_SECONDS = 30;

  static final MethodDescriptor<byte[], byte[]> UNARY = method(MethodType.UNARY, "unary");
  static final MethodDescriptor<byte[], byte[]> STREAM =
      method(MethodType.BIDI_STREAMING, "stream");

  private @Nullable Connected connected;

  private record Connected(
      EventLoopGroup group, Server server, ManagedChannel channel, CapturedChannel captured) {

    static Connected start() throws IOException {
      EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
      Server server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .bossEventLoopGroup(group)
              .workerEventLoopGroup(group)
              .channelType(NioServerSocketChannel.class)
              .directExecutor()
              .addService(service())
              .build()
              .start();
      CapturedChannel captured = new CapturedChannel();
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
              .usePlaintext()
              .eventLoopGroup(group)
              .channelFactory(captured::make)
              .directExecutor()
              .build();
      return new Connected(group, server, channel, captured);
    }
  }

  /** The client's socket, to find the allocator that gRPC sets. */
  private static final class CapturedChannel {
    private volatile @Nullable NioSocketChannel last;

    NioSocketChannel make() {
      NioSocketChannel made = new NioSocketChannel();
      last = made;
      return made;
    }
  }

  /** Waits for the ends of calls, and records the responses if there is an outcome. */
  static final class Answers implements StreamObserver<byte[]> {
    private final CountDownLatch ends;
    private final @Nullable Outcome into;
    private volatile int bytes;
    private volatile @Nullable Throwable failure;

    Answers(int calls, @Nullable Outcome into) {
      this.ends = new CountDownLatch(calls);
      this.into = into;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the event loop writes it
    public void onNext(byte[] message) {
      bytes += message.length;
      if (into != null) {
        into.add(message);
      }
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
      ends.countDown();
    }

    @Override
    public void onCompleted() {
      ends.countDown();
    }

    int await() throws InterruptedException {
      boolean ended = ends.await(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!ended || failure != null) {
        throw new IllegalStateException("a call failed or timed out", failure);
      }
      return bytes;
    }
  }

  @Override
  final void open() throws IOException {
    connected = Connected.start();
  }

  final ManagedChannel channel() {
    return connected().channel();
  }

  private Connected connected() {
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    return connected;
  }

  /** Makes the calls. */
  abstract int call(@Nullable Outcome into) throws InterruptedException;

  @Override
  final int operate() throws InterruptedException {
    return call(null);
  }

  @Override
  final void record(Outcome into) throws InterruptedException {
    into.add(call(into));
    NioSocketChannel socket = connected().captured().last;
    ByteBufAllocator allocator = socket == null ? ByteBufAllocator.DEFAULT : socket.alloc();
    into.saw(allocator);
  }

  @Override
  final void close() throws InterruptedException {
    connected().channel().shutdownNow().awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
    connected().server().shutdownNow().awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
    connected().group().shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            UNARY,
            ServerCalls.asyncUnaryCall(
                (message, answers) -> {
                  answers.onNext(message);
                  answers.onCompleted();
                }))
        .addMethod(STREAM, ServerCalls.asyncBidiStreamingCall(Echo::new))
        .build();
  }

  /** Sends back all messages. */
  private record Echo(StreamObserver<byte[]> answers) implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] message) {
      answers.onNext(message);
    }

    @Override
    public void onError(Throwable failure) {
      answers.onError(failure);
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }

  static CallOptions options() {
    return CallOptions.DEFAULT;
  }

  private static MethodDescriptor<byte[], byte[]> method(MethodType type, String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  /** Passes a message through unchanged. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

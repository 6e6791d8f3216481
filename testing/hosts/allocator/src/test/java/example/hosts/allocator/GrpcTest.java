/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.netty.CisternAllocator;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.netty.channel.ChannelOption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcTest {
  private static final int CALLS = 100;
  private static final String SERVICE = "example.Echo";

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "echo"))
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
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

  private final Server server = startServer();
  private final ManagedChannel channel =
      NettyChannelBuilder.forAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
          .usePlaintext()
          .withOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT)
          .build();

  private static Server startServer() {
    try {
      return NettyServerBuilder.forAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .withChildOption(ChannelOption.ALLOCATOR, CisternAllocator.DEFAULT)
          .addService(
              ServerServiceDefinition.builder(SERVICE)
                  .addMethod(
                      ECHO,
                      ServerCalls.asyncUnaryCall(
                          (request, answers) -> {
                            answers.onNext(request);
                            answers.onCompleted();
                          }))
                  .build())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdown();
    server.shutdown();
    assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(server.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    Served.allReturned();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 10_000, 1_000_000})
  void callsAreServedByThePool(int bytes) {
    byte[] message = new byte[bytes];
    new Random(1).nextBytes(message);
    Served served = new Served();
    for (int i = 0; i < CALLS; i++) {
      byte[] answer = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, message);
      assertThat(answer).isEqualTo(message);
    }
    served.atLeast(2 * CALLS);
  }
}

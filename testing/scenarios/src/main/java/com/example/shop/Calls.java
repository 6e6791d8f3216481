/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A client of gRPC that calls a method with a stream of results, and often needs the first only.
 */
final class Calls {
  private static final String SERVICE = "shop.Search";
  private static final MethodDescriptor<byte[], byte[]> SEARCH =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodType.SERVER_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "search"))
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();
  private static final int RESULTS = 8;

  /** The server logs a warning for each write to a cancelled call. */
  private static final Logger LOGGER = Logger.getLogger("io.grpc");

  private final Shop shop;
  private final int size;
  private final Channel channel;
  private final List<BlockingClientCall<byte[], byte[]>> recent = new ArrayList<>();

  private Calls(Shop shop) throws IOException {
    LOGGER.setLevel(Level.SEVERE);
    this.shop = shop;
    size = shop.number("size", 512) * Shop.KIB;
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder(SERVICE)
                    .addMethod(SEARCH, ServerCalls.asyncServerStreamingCall(this::results))
                    .build())
            .build()
            .start();
    channel =
        Grpc.newChannelBuilder("127.0.0.1:" + server.getPort(), InsecureChannelCredentials.create())
            .build();
  }

  private void results(byte[] request, StreamObserver<byte[]> results) {
    var observer = (ServerCallStreamObserver<byte[]>) results;
    byte[] result = new byte[size];
    int[] left = {RESULTS};
    observer.setOnReadyHandler(
        () -> {
          while (left[0] > 0 && observer.isReady()) {
            observer.onNext(result);
            if (--left[0] == 0) {
              observer.onCompleted();
            }
          }
        });
  }

  /**
   * Calls the method up to {@code calls} times a second, and cancels each {@code cancel}th call
   * after its first result, until {@code mib} MiB of results may wait in cancelled calls. With
   * {@code then=drain} it reads a cancelled call to its end; with {@code then=keep} it keeps the
   * call. A cancelled call that is not read has its next result in its executor, which only a read
   * would run (grpc-java issue 12355).
   */
  static void search(Shop shop) throws IOException {
    Calls calls = new Calls(shop);
    shop.ready();
    Shop.start("shop-search-1", calls::repeat);
  }

  private void repeat() throws InterruptedException, StatusException {
    int every = shop.number("cancel", 1);
    long limit = shop.mib("mib", 120);
    double pause = 1.0 / shop.number("calls", 10);
    boolean isDrained = shop.is("then", "drain");
    long waiting = 0;
    for (int i = 1; ; i++) {
      BlockingClientCall<byte[], byte[]> call =
          ClientCalls.blockingV2ServerStreamingCall(
              channel, SEARCH, CallOptions.DEFAULT, new byte[0]);
      call.read();
      Shop.pause(pause); // the next result arrives meanwhile
      boolean isCancelled = i % every == 0 && waiting < limit;
      if (isCancelled) {
        call.cancel("found", null);
      }
      if (isDrained || !isCancelled) {
        drain(call);
        continue;
      }
      waiting += size;
      shop.fact("orphaned", waiting);
      if (shop.is("then", "keep")) {
        recent.add(call);
      }
    }
  }

  private static void drain(BlockingClientCall<byte[], byte[]> call) throws InterruptedException {
    try {
      while (call.hasNext()) {
        call.read();
      }
    } catch (StatusException e) {
      // the status of a call that was cancelled
    }
  }

  /** A message as it is. */
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

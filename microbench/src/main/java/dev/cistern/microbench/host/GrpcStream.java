/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call with 64 messages of 8 KiB each, which the server sends back one by one: eight
 * windows of HTTP/2.
 */
public class GrpcStream extends Grpc {
  private static final int MESSAGES = 64;

  private final byte[] message = Http1.body(8 << 10);

  @Override
  int call(@Nullable Outcome into) throws InterruptedException {
    Answers answers = new Answers(1, into);
    StreamObserver<byte[]> server =
        ClientCalls.asyncBidiStreamingCall(channel().newCall(STREAM, options()), answers);
    for (int sent = 0; sent < MESSAGES; sent++) {
      server.onNext(message);
    }
    server.onCompleted();
    return answers.await();
  }
}

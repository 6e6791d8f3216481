/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.grpc.stub.ClientCalls;
import org.jspecify.annotations.Nullable;

/** Makes 64 concurrent calls with 512 B each, to which the server responds with the same bytes. */
public class GrpcUnary extends Grpc {
  private static final int CALLS = 64;

  private final byte[] message = Http1.body(512);

  @Override
  int call(@Nullable Outcome into) throws InterruptedException {
    Answers answers = new Answers(CALLS, into);
    for (int call = 0; call < CALLS; call++) {
      ClientCalls.asyncUnaryCall(channel().newCall(UNARY, options()), message, answers);
    }
    return answers.await();
  }
}

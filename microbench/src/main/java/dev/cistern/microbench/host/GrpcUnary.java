/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.grpc.stub.ClientCalls;
import org.jspecify.annotations.Nullable;

/** J2: 64 calls of 512 B at once, each answered by the same. */
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

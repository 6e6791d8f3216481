/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.grpc.shaded;

import example.hosts.common.Answers;
import example.hosts.common.Lifetime;
import example.hosts.grpc.Calls;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Serves gRPC until the standard input closes. */
public final class ShadedHost {
  private ShadedHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    Lifetime.serve(start());
  }

  /** Binds the listener and returns its port. */
  public static int[] start(String... arguments) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server =
        NettyServerBuilder.forAddress(address)
            .addService(Calls.service())
            .maxInboundMessageSize(Answers.MAX_BODY_BYTES)
            .build()
            .start();
    return new int[] {server.getPort()};
  }
}

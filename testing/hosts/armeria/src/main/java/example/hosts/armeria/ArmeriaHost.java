/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.armeria;

import com.linecorp.armeria.common.AggregationOptions;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import example.hosts.common.Lifetime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Serves HTTP until the standard input closes. */
public final class ArmeriaHost {
  private ArmeriaHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    Server server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .service("/echo", ArmeriaHost::echo)
            .build();
    server.start().join();
    Lifetime.serve(server.activeLocalPort());
  }

  /** Returns the body in the pooled buffers that it arrived in. */
  private static HttpResponse echo(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(AggregationOptions.usePooledObjects(context.alloc()))
            .thenApply(
                whole -> HttpResponse.of(HttpStatus.OK, MediaType.OCTET_STREAM, whole.content())));
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.aws;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import java.io.IOException;
import java.net.URI;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

/** Sends each body to a service on this machine, by the client of the SDK. */
public final class AwsHost {
  private AwsHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    int service = EchoServer.start(body -> body);
    SdkAsyncHttpClient client = NettyNioAsyncHttpClient.builder().build();
    URI address = URI.create("http://127.0.0.1:" + service + "/echo");
    Lifetime.serve(EchoServer.start(body -> send(client, address, body)));
  }

  private static byte[] send(SdkAsyncHttpClient client, URI address, byte[] body) throws Exception {
    Response response = new Response();
    client
        .execute(
            AsyncExecuteRequest.builder()
                .request(
                    SdkHttpFullRequest.builder()
                        .method(SdkHttpMethod.POST)
                        .uri(address)
                        .putHeader("Content-Length", String.valueOf(body.length))
                        .build())
                .requestContentPublisher(new OneBody(body))
                .responseHandler(response)
                .build())
        .get();
    return response.body();
  }
}

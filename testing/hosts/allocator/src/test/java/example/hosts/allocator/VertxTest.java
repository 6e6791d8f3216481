/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vert.x 5 with the transport of {@link CisternTransport}: server and client. */
class VertxTest {
  private static final int REQUESTS = 100;
  private static final long PATIENCE_SECONDS = 30;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestsAreServedByThePool(boolean nativeTransport) throws Exception {
    byte[] body = new byte[50_000];
    new Random(1).nextBytes(body);
    Served served = new Served();
    Vertx vertx =
        Vertx.builder()
            .withTransport(nativeTransport ? CisternTransport.epoll() : CisternTransport.nio())
            .build();
    assertThat(vertx.isNativeTransportEnabled()).isEqualTo(nativeTransport);
    HttpServer server =
        result(vertx.createHttpServer().requestHandler(VertxTest::echo).listen(0, "127.0.0.1"));
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(server.actualPort()));
    for (int i = 0; i < REQUESTS; i++) {
      Buffer answer =
          result(client.request(HttpMethod.POST, "/").compose(sent -> talk(sent, body)));
      assertThat(answer.getBytes()).isEqualTo(body);
    }
    result(client.close());
    result(server.close());
    result(vertx.close());
    served.atLeast(2 * REQUESTS);
    Served.allReturned();
  }

  /** Reads the body on the event loop, because another thread is sometimes too late. */
  private static Future<Buffer> talk(HttpClientRequest request, byte[] body) {
    return request.send(Buffer.buffer(body)).compose(HttpClientResponse::body);
  }

  private static void echo(HttpServerRequest request) {
    request.bodyHandler(body -> request.response().end(body));
  }

  private static <T> T result(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}

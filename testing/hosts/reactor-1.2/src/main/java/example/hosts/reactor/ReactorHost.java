/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.reactor;

import example.hosts.common.Answers;
import example.hosts.common.Lifetime;
import java.io.IOException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRoutes;

/** Serves HTTP until the standard input closes. */
public final class ReactorHost {
  private ReactorHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    DisposableServer server =
        HttpServer.create().host("127.0.0.1").port(0).route(ReactorHost::routes).bindNow();
    Lifetime.serve(server.port());
  }

  private static void routes(HttpServerRoutes routes) {
    routes
        .get("/plaintext", (request, response) -> response.sendString(Mono.just(Answers.PLAINTEXT)))
        .get("/json", (request, response) -> response.sendString(Mono.just(Answers.JSON)))
        .post("/echo", (request, response) -> response.send(request.receive().retain()))
        .get(
            "/stream",
            (request, response) ->
                response.sendByteArray(Flux.range(0, Answers.PARTS).map(Answers::part)));
  }
}

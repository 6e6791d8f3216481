/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.vertx;

import example.hosts.common.Answers;
import example.hosts.common.Lifetime;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;

/** Serves HTTP, and on a second port sends back all bytes, until the standard input closes. */
public final class VertxHost {
  /** On a machine under load, Vert.x would warn of threads that are late. */
  private static final long BLOCKED_THREAD_CHECK_MILLIS = 3_600_000;

  private static final String LOOPBACK = "127.0.0.1";

  private VertxHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setBlockedThreadCheckInterval(BLOCKED_THREAD_CHECK_MILLIS));
    HttpServer http = vertx.createHttpServer().requestHandler(VertxHost::answer);
    NetServer net = vertx.createNetServer().connectHandler(socket -> socket.handler(socket::write));
    http.listen(0, LOOPBACK).toCompletionStage().toCompletableFuture().get();
    net.listen(0, LOOPBACK).toCompletionStage().toCompletableFuture().get();
    Lifetime.serve(http.actualPort(), net.actualPort());
  }

  private static void answer(HttpServerRequest request) {
    switch (request.path()) {
      case "/plaintext" -> request.response().end(Answers.PLAINTEXT);
      case "/json" -> request.response().end(json());
      case "/echo" -> request.bodyHandler(body -> request.response().end(body));
      case "/stream" -> stream(request);
      default -> request.response().setStatusCode(404).end("no such page");
    }
  }

  private static Buffer json() {
    return new JsonObject()
        .put("message", Answers.PLAINTEXT)
        .put("numbers", new JsonArray().add(1).add(2).add(3))
        .toBuffer();
  }

  private static void stream(HttpServerRequest request) {
    request.response().setChunked(true);
    for (int part = 0; part < Answers.PARTS; part++) {
      request.response().write(Buffer.buffer(Answers.part(part)));
    }
    request.response().end();
  }
}

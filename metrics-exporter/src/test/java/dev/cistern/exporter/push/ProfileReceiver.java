/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A receiver of profiles on this machine, with responses that a test chooses. */
public final class ProfileReceiver implements AutoCloseable {
  private final HttpServer server;
  private final String endpoint;
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /** Responses to the next requests; without one, the receiver accepts a request. */
  private final Queue<Response> responses = new ConcurrentLinkedQueue<>();

  private final CountDownLatch closed = new CountDownLatch(1);

  private volatile Runnable onRequest = () -> {};

  /** A received request; names of headers are in lower case. */
  public record Request(
      String method, String path, Map<String, String> headers, ByteString content) {
    byte[] body() {
      return content.toByteArray();
    }
  }

  private record Response(int status, Map<String, String> headers, ByteString body) {}

  /** Creates a receiver without TLS. */
  public ProfileReceiver() throws IOException {
    this(null, "127.0.0.1");
  }

  /**
   * Creates a receiver.
   *
   * @param tls null for a receiver without TLS
   * @param host a loopback address
   */
  ProfileReceiver(@Nullable SSLContext tls, String host) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), 0);
    if (tls == null) {
      server = HttpServer.create(address, 0);
    } else {
      HttpsServer secure = HttpsServer.create(address, 0);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      server = secure;
    }
    endpoint = (tls == null ? "http://" : "https://") + host + ":" + server.getAddress().getPort();
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) ->
                  headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
      requests.add(
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              headers,
              ByteString.readFrom(exchange.getRequestBody())));
      onRequest.run();
      Response response = responses.poll();
      if (response == null) {
        response = new Response(200, Map.of(), ByteString.EMPTY);
      }
      if (response.status() == 0) {
        closed.await();
        return;
      }
      response.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          response.status(), response.body().isEmpty() ? -1 : response.body().size());
      response.body().writeTo(exchange.getResponseBody());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the request of a loop that pushes a report here once. */
  Request requestOf(HostReport report, PushOptions options) {
    new PushLoop(
            new ProfileRequests(Hosts.of(() -> report), options.format()),
            options,
            line -> {},
            new ManualClock(Duration.ofMinutes(1)),
            new HttpPost(10_000))
        .run();
    assertThat(requests).hasSize(1);
    return requests.get(0);
  }

  /** Returns the address for pushes. */
  public String endpoint() {
    return endpoint;
  }

  /** Sets the response to the next request without one. */
  ProfileReceiver respondWith(int status, Map<String, String> headers) {
    responses.add(new Response(status, headers, ByteString.EMPTY));
    return this;
  }

  /** Sets the responses to the next requests without one. */
  ProfileReceiver respondWith(int... statuses) {
    for (int status : statuses) {
      respondWith(status, Map.of());
    }
    return this;
  }

  /** Accepts the next request without a response, and responds with a body. */
  void accept(byte[] body) {
    responses.add(new Response(200, Map.of(), ByteString.copyFrom(body)));
  }

  /** Never responds to the next request without a response. */
  void hang() {
    respondWith(0);
  }

  /** Runs a task with each request, before its response. */
  void onRequest(Runnable task) {
    onRequest = task;
  }

  /** Returns the received requests. */
  public List<Request> requests() {
    return requests;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}

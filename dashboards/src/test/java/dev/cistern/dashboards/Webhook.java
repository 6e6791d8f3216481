/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The receiver of Alertmanager's notifications. */
final class Webhook implements AutoCloseable {
  private final HttpServer server;
  private final List<Alert> alerts = new CopyOnWriteArrayList<>();
  private final List<String> malformed = new CopyOnWriteArrayList<>();

  /** An alert of a notification. */
  record Alert(String status, Map<String, String> labels, Map<String, String> annotations) {
    String name() {
      return labels.getOrDefault("alertname", "");
    }

    String application() {
      return labels.getOrDefault("application", "");
    }
  }

  private Webhook(HttpServer server) {
    this.server = server;
  }

  static Webhook start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Webhook webhook = new Webhook(server);
    server.createContext("/alerts", webhook::receive);
    server.start();
    return webhook;
  }

  private void receive(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    try {
      JsonArray all = JsonParser.object().from(body).getArray("alerts");
      for (int i = 0; i < all.size(); i++) {
        alerts.add(alert(all.getObject(i)));
      }
    } catch (JsonParserException e) {
      malformed.add(body);
    }
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private static Alert alert(JsonObject json) {
    return new Alert(
        json.getString("status"),
        texts(json.getObject("labels")),
        texts(json.getObject("annotations")));
  }

  private static Map<String, String> texts(JsonObject json) {
    Map<String, String> texts = new TreeMap<>();
    json.forEach((name, value) -> texts.put(name, value.toString()));
    return texts;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Returns the alerts that fired, in the order of their arrival. */
  List<Alert> fired() {
    if (!malformed.isEmpty()) {
      throw new AssertionError("not the JSON of alerts: " + malformed);
    }
    return alerts.stream().filter(alert -> alert.status().equals("firing")).toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.HttpExchange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the pages want to know of a request. */
final class Request {
  private final HttpExchange exchange;
  private final Caller caller;
  private final long receivedNanos;

  /** A request of whom nobody knows yet. */
  Request(HttpExchange exchange) {
    this(exchange, Caller.ANYONE, System.nanoTime());
  }

  private Request(HttpExchange exchange, Caller caller, long receivedNanos) {
    this.receivedNanos = receivedNanos;
    this.exchange = exchange;
    this.caller = caller;
  }

  /** This request, of whom it was found to be. */
  Request by(Caller known) {
    return new Request(exchange, known, receivedNanos);
  }

  /** Who asks: decides whether names of sites may be shown. */
  Caller caller() {
    return caller;
  }

  /** When it was read, by the clock of {@link System#nanoTime}. */
  long receivedNanos() {
    return receivedNanos;
  }

  /** For whoever looks at the connection itself. */
  HttpExchange exchange() {
    return exchange;
  }

  String method() {
    return exchange.getRequestMethod();
  }

  /** The decoded path, as sent: never a name of a file. */
  String path() {
    String path = exchange.getRequestURI().getPath();
    return path == null ? "" : path;
  }

  /** The values of all lines of a header. */
  List<String> header(String name) {
    List<String> lines = exchange.getRequestHeaders().get(name);
    return lines == null ? List.of() : lines;
  }

  /** Returns whether the query has exactly this {@code name=value}. */
  boolean asks(String parameter) {
    String query = exchange.getRequestURI().getRawQuery();
    return query != null && List.of(query.split("&")).contains(parameter);
  }

  /** The decoded value of a query parameter, its first; empty without one. */
  String parameter(String name) {
    String query = exchange.getRequestURI().getRawQuery();
    if (query == null) {
      return "";
    }
    for (String parameter : query.split("&", -1)) {
      if (parameter.startsWith(name + "=")) {
        return URLDecoder.decode(parameter.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  AcceptHeader accept() {
    return AcceptHeader.parse(header("Accept"));
  }

  /**
   * Returns whether a browser says that a page from elsewhere made it send this: what has an effect
   * can be asked for without reading the answer. Who has logged in may have come from this server's
   * own pages under any name: a browser sends a password only to where it belongs.
   */
  boolean isOfForeignPage() {
    return header("Origin").stream()
        .map(origin -> origin.replaceFirst("^https?://", ""))
        .anyMatch(origin -> !LoopbackHost.matches(origin) && !isOwnName(origin));
  }

  private boolean isOwnName(String origin) {
    return caller == Caller.AUTHENTICATED && header("Host").equals(List.of(origin));
  }

  /**
   * Returns whether the client is on this machine and knows it: its address is a loopback one, and
   * the name in its {@code Host} header too. The second keeps out a browser on this machine that a
   * foreign page has lured here under a foreign name.
   */
  boolean isLocal() {
    return exchange.getRemoteAddress().getAddress().isLoopbackAddress()
        && header("Host").size() == 1
        && LoopbackHost.matches(header("Host").get(0));
  }
}

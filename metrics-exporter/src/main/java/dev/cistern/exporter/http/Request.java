/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The parts of a request that pages use. */
public final class Request {
  /** Headers in which proxies name the client of a forwarded request. */
  private static final Set<String> PROXY_HEADERS = Set.of("forwarded", "via", "x-real-ip");

  private static final List<String> PROXY_PREFIXES = List.of("x-forwarded-", "x-envoy-");

  /** Values that browsers send for requests by this server's own pages, or by no page. */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final String method;
  private final URI uri;
  private final Map<String, List<String>> headers;
  private final Peer peer;
  private final @Nullable SSLSession tls;
  private final boolean isHttp10;
  private final ClientIdentity client;
  private final String user;
  private final long receivedNanos;

  /**
   * Creates a request whose client is not identified yet.
   *
   * @param headers the values of all lines of each header; finds names in any case
   * @param peer the client, or the last proxy before this server
   * @param tls TLS session, which identifies the client; null without TLS
   * @param isHttp10 whether the request is of HTTP/1.0
   */
  public Request(
      String method,
      URI uri,
      Map<String, List<String>> headers,
      Peer peer,
      @Nullable SSLSession tls,
      boolean isHttp10) {
    this(method, uri, headers, peer, tls, isHttp10, ClientIdentity.ANYONE, "", System.nanoTime());
  }

  private Request(
      String method,
      URI uri,
      Map<String, List<String>> headers,
      Peer peer,
      @Nullable SSLSession tls,
      boolean isHttp10,
      ClientIdentity client,
      String user,
      long receivedNanos) {
    this.method = method;
    this.uri = uri;
    this.headers = headers;
    this.peer = peer;
    this.tls = tls;
    this.isHttp10 = isHttp10;
    this.client = client;
    this.user = user;
    this.receivedNanos = receivedNanos;
  }

  /** Returns this request with the identity of its client. */
  Request by(ClientIdentity known, String name) {
    return new Request(method, uri, headers, peer, tls, isHttp10, known, name, receivedNanos);
  }

  /** Returns the name of an authenticated client; otherwise empty. */
  public String user() {
    return user;
  }

  /** Returns the kind of client, which decides whether names of sites may be shown. */
  public ClientIdentity client() {
    return client;
  }

  /** Returns the time when the request was read, by the clock of {@link System#nanoTime}. */
  public long receivedNanos() {
    return receivedNanos;
  }

  String method() {
    return method;
  }

  /** Returns the address of the client, or of the last proxy before this server. */
  InetAddress address() {
    return peer.address();
  }

  /** Returns the TLS session, which identifies the client; null without TLS. */
  @Nullable SSLSession tls() {
    return tls;
  }

  /** Returns the decoded path as sent. It is never used as the name of a file. */
  public String path() {
    String path = uri.getPath();
    return path == null ? "" : path;
  }

  /** Returns the values of all lines of a header. */
  public List<String> header(String name) {
    return headers.getOrDefault(name, List.of());
  }

  /** Returns whether the query has exactly this {@code name=value}. */
  public boolean asks(String parameter) {
    String query = uri.getRawQuery();
    return query != null && List.of(query.split("&")).contains(parameter);
  }

  /** Returns the first decoded value of a query parameter; empty if there is none. */
  public String parameter(String name) {
    String query = uri.getRawQuery();
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

  /** Returns all decoded query parameters by name, each with its values. */
  public Map<String, List<String>> parameters() {
    Map<String, List<String>> parameters = new TreeMap<>();
    String query = uri.getRawQuery();
    for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      String value = equals < 0 ? "" : parameter.substring(equals + 1);
      if (!parameter.isEmpty()) {
        parameters.computeIfAbsent(decode(name), same -> new ArrayList<>(1)).add(decode(value));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  public AcceptHeader accept() {
    return AcceptHeader.parse(header("Accept"));
  }

  /**
   * Returns whether a page of another origin sent this request, according to the browser. An origin
   * is scheme, name and port, because another port may belong to another user of the machine.
   */
  boolean isOfForeignPage() {
    return !header("Origin").stream().allMatch(this::isOwnOrigin)
        || !OWN_SITES.containsAll(header("Sec-Fetch-Site"));
  }

  private boolean isOwnOrigin(String origin) {
    if (header("Host").size() != 1 || header("Origin").size() != 1) {
      return false;
    }
    String host = header("Host").get(0);
    // A proxy may add TLS to a connection that has no TLS here.
    boolean mayBeHttps = tls != null || isForwarded();
    return (tls == null && origin.equalsIgnoreCase("http://" + host))
        || (mayBeHttps && origin.equalsIgnoreCase("https://" + host));
  }

  /**
   * Returns whether the client is on this machine and addresses it by a local name: the {@code
   * Host} header has a name of this machine, no proxy declares that it forwards the request, and
   * the peer is local. The check of the name excludes a local browser that a foreign page directs
   * here under another name (DNS rebinding).
   */
  boolean isLocal() {
    return header("Host").size() == 1
        && LoopbackHost.matches(header("Host").get(0))
        && !isForwarded()
        && peer.isLocal();
  }

  /**
   * Returns whether a proxy declares that it forwards the request. nginx does not, but nginx up to
   * 1.28 sends HTTP/1.0 with {@code Connection: close} by default, which no client of HTTP/1.0
   * needs.
   */
  private boolean isForwarded() {
    boolean isOfNginx = isHttp10 && header("Connection").contains("close");
    return isOfNginx
        || headers.keySet().stream()
            .map(name -> name.toLowerCase(Locale.ROOT))
            .anyMatch(
                name ->
                    PROXY_HEADERS.contains(name)
                        || PROXY_PREFIXES.stream().anyMatch(name::startsWith));
  }
}

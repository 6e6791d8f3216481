/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Parser of {@code host:port}. */
public final class ListenAddress {
  private static final int MAX_PORT = 65_535;

  private ListenAddress() {}

  /**
   * Returns the address to bind to. Port 0 means any free port, an empty host means all addresses,
   * and an IPv6 address has brackets.
   *
   * @throws IllegalArgumentException if {@code listen} has another form
   * @throws UnknownHostException if the host has no address
   */
  public static InetSocketAddress parse(String listen) throws UnknownHostException {
    int colon = listen.lastIndexOf(':');
    if (colon < 0) {
      throw malformed(listen);
    }
    int port = port(listen, listen.substring(colon + 1));
    String host = listen.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      throw malformed(listen);
    }
    InetSocketAddress address =
        host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new UnknownHostException("listen: " + listen + " (the host has no address)");
    }
    return address;
  }

  private static int port(String listen, String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // The exception below reports the invalid port.
    }
    throw malformed(listen);
  }

  private static IllegalArgumentException malformed(String listen) {
    return new IllegalArgumentException(
        "listen: " + listen + " (expected: host:port, port 0 to 65535)");
  }
}

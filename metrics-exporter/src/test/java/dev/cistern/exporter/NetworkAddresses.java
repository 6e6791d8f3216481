/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/** Addresses under which other machines can reach this machine. */
final class NetworkAddresses {
  private NetworkAddresses() {}

  static List<InetAddress> ofThisMachine() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(Inet4Address.class::isInstance)
        .filter(address -> !address.isLoopbackAddress())
        .toList();
  }
}

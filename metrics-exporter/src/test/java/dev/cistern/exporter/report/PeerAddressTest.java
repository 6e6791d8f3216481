/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A masked address has the network of a peer, but not its host, its name or its port. */
class PeerAddressTest {
  @ParameterizedTest
  @CsvSource({
    "/10.4.17.203:51432, 10.4.*.*",
    "shop.example/10.4.17.203:443, 10.4.*.*",
    "10.4.17.203, 10.4.*.*",
    "/[2001:db8:0:0:0:0:0:1]:443, 2001:db8:*",
    "2001:DB8:0:0:0:0:0:1, 2001:DB8:*",
    "/[fe80:0:0:0:0:0:0:1%eth0]:443, fe80:0:*",
    "10.4.*.*, 10.4.*.*",
    "2001:db8:*, 2001:db8:*",
    "'', ''"
  })
  void theNetworkStays(String address, String masked) {
    assertThat(PeerAddress.masked(address)).isEqualTo(masked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local:E:5f3a",
        "/run/shop.sock",
        "shop.example/<unresolved>:443",
        "10.4.17.203.example:80",
        "::1",
        "*"
      })
  void allOtherAddressesAreUnknown(String address) {
    assertThat(PeerAddress.masked(address)).isEqualTo("*");
  }

  @Test
  void addressesOfTheJdkAreMasked() throws Exception {
    InetAddress four = InetAddress.getByAddress(new byte[] {10, 4, 17, 1});
    assertThat(PeerAddress.masked(new InetSocketAddress(four, 443).toString()))
        .isEqualTo("10.4.*.*");
    byte[] bytes = {0x20, 1, 0xd, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    InetAddress six = InetAddress.getByAddress("shop.example", bytes);
    assertThat(PeerAddress.masked(new InetSocketAddress(six, 443).toString()))
        .isEqualTo("2001:db8:*");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An address of a peer leaves the process without what identifies the peer. */
class PeerAddressTest {
  @ParameterizedTest
  @CsvSource({
    "/10.4.77.99:443, 10.4.*.*",
    "10.4.77.99, 10.4.*.*",
    "web1.acme.com/10.4.77.99:443, 10.4.*.*",
    "/[2001:db8:0:0:0:0:77:99]:443, 2001:db8:*",
    "2001:db8::77:99, 2001:db8:*",
    "/[2001::77]:443, 2001:0:*",
    "/[::1]:443, 0:0:*",
    "'/[fe80:0:0:0:1:2:3:4%eth0]:443', fe80:0:*",
    "'/[fe80:0:0:0:1:2:3:4%eth0]', fe80:0:*",
    "::ffff:10.4.77.99, *",
    "web1.acme.com:443, *",
    "web1.acme.com/<unresolved>:443, *",
    "local:E4a1, *",
    "/var/run/shop.sock, *",
    "/var/run/ab:cd:ef, *",
    "embedded, *",
    "'', ''",
  })
  void itsNetworkStays(String address, String masked) {
    assertThat(PeerAddress.masked(address)).isEqualTo(masked);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.ProxiedRequestTest;
import org.junit.jupiter.api.Test;

/** Lines as in {@code /proc/net/tcp}; {@link ProxiedRequestTest} has real clients. */
class PeerTest {
  private static final String CLIENT = Peer.suffix(45_678);
  private static final String SERVER = Peer.suffix(9_471);

  /** Returns a line for a connection from port 45,678 to port 9,471. */
  private static String line(String state, int user) {
    return "   1: 0100007F:B26E 0100007F:24FF "
        + state
        + " 00000000:00000000 00:00000000 00000000    "
        + user
        + "        0 12345 1 0000000000000000 20 4 30 10 -1";
  }

  @Test
  void theUserOfTheClientsSocketIsFound() {
    assertThat(Peer.userOfPeer(line("01", 33), CLIENT, SERVER)).isEqualTo(33);
    assertThat(Peer.userOfPeer(line("08", 0), CLIENT, SERVER)).isZero();
  }

  @Test
  void otherSocketsHaveNoUser() {
    assertThat(Peer.userOfPeer(line("01", 33), SERVER, CLIENT)).as("the server's").isEqualTo(-1);
    assertThat(Peer.userOfPeer(line("01", 33), CLIENT, Peer.suffix(9_472))).isEqualTo(-1);
    assertThat(Peer.userOfPeer(line("06", 0), CLIENT, SERVER)).as("closed").isEqualTo(-1);
    assertThat(
            Peer.userOfPeer(
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid",
                CLIENT,
                SERVER))
        .isEqualTo(-1);
  }

  @Test
  void rootAndAccountsOfPeopleAreNoServices() {
    assertThat(Peer.isPerson(0)).isTrue();
    assertThat(Peer.isPerson(1_000)).isTrue();
    assertThat(Peer.isPerson(33)).isFalse();
    assertThat(Peer.isPerson(999)).isFalse();
    assertThat(Peer.isPerson(65_534)).isFalse();
  }
}

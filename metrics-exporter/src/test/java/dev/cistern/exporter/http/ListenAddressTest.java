/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @Test
  void hostAndPortAreRead() throws UnknownHostException {
    assertEquals(9471, ListenAddress.parse("127.0.0.1:9471").getPort());
    assertTrue(ListenAddress.parse("[::1]:0").getAddress().isLoopbackAddress());
    assertTrue(ListenAddress.parse(":9471").getAddress().isAnyLocalAddress());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "9471", "host", "host:", "host:x", "host:-1", "host:65536", "::1:80"})
  void malformedAddressesAreNamed(String listen) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(listen));
    assertTrue(e.getMessage().contains("listen: " + listen), e::getMessage);
  }

  @Test
  void anUnknownHostIsNamed() {
    UnknownHostException e =
        assertThrows(
            UnknownHostException.class, () -> ListenAddress.parse("no-such-host.invalid:1"));
    assertTrue(e.getMessage().contains("no-such-host.invalid:1"), e::getMessage);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackHostTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost:9471",
        "LOCALHOST",
        "127.0.0.1:1",
        "127.8.9.1",
        "[::1]:80"
      })
  void namesOfThisMachine(String host) {
    assertTrue(LoopbackHost.matches(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com",
        "localhost.example.com",
        "127.0.0.1.example.com",
        "evil.localhost:80:90",
        "::1",
        "0.0.0.0",
        "10.0.0.1:9471",
        "localhost:port",
      })
  void namesOfPossiblyOtherMachinesDoNotMatch(String host) {
    assertFalse(LoopbackHost.matches(host));
  }
}

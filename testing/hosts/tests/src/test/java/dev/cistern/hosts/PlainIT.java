/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plain Netty host: each version of Netty, both transports, both TLS engines. */
class PlainIT {
  @TempDir private static Path folder;
  private static TlsKey key;

  @BeforeAll
  static void makeKey() throws Exception {
    key = TlsKey.make(folder);
  }

  private static HostCommand host(String version, String transport, String engine) {
    return Hosts.plain(version, transport, engine, key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.100", "4.1.135", "4.1.140", "4.2.0", "4.2.18", "4.2.20"})
  void byNioAndTheEngineOfTheJdk(String version) throws Exception {
    Comparison.compare(host(version, "nio", "JDK"), "io.netty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.100", "4.1.135", "4.2.0", "4.2.18"})
  void byEpollAndOpenSsl(String version) throws Exception {
    Comparison.compare(host(version, "epoll", "OPENSSL"), "io.netty");
  }

  @Test
  void withEveryClassVerified() throws Exception {
    Comparison.compare(host("4.1.135", "nio", "JDK").with("-Xverify:all"), "io.netty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.135", "4.2.18"})
  void atTheParanoidLevel(String version) throws Exception {
    Comparison.compareAtParanoid(host(version, "epoll", "OPENSSL"), "io.netty");
  }
}

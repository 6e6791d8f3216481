/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** A key with a self-signed certificate for the loopback address. */
public final class LoopbackKey {
  private static final long LIMIT_SECONDS = 60;

  private LoopbackKey() {}

  /** Creates a key in a new PKCS #12 file, and returns the file's contents. */
  public static KeyStore create(Path file, String alias, String password)
      throws IOException, GeneralSecurityException, InterruptedException {
    ProcessBuilder keytool =
        new ProcessBuilder(
            Tool.jdk("keytool"),
            "-genkeypair",
            "-alias",
            alias,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            "-storepass",
            password);
    Tool.Outcome outcome = Tool.run(keytool, LIMIT_SECONDS);
    if (outcome.status() != 0) {
      throw new AssertionError("keytool failed: " + outcome);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, password.toCharArray());
    }
    return keys;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import dev.cistern.testing.LoopbackKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key for the loopback address, created in each run, and clients that trust only this key. */
record TlsKey(Path file, String password, SSLContext client) {
  private static final String PASSWORD = "for-this-run-only";
  private static final String ALIAS = "host";

  static TlsKey make(Path directory) throws Exception {
    Path file = directory.resolve("key.p12");
    return new TlsKey(file, PASSWORD, trusting(LoopbackKey.create(file, ALIAS, PASSWORD)));
  }

  private static SSLContext trusting(KeyStore keys) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), new SecureRandom());
    return context;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts that trust exactly one self-signed certificate. */
public final class Trust {
  private Trust() {}

  /**
   * Returns a client context that trusts only {@code pem}.
   *
   * @throws IOException if {@code pem} is not a certificate
   */
  public static SSLContext only(String pem) throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot trust the certificate of the server", e);
    }
  }
}

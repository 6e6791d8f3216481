/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Verifier of the certificates of clients. */
final class ClientTrust {
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /** Kinds of alternative names: e-mail, DNS, URI and IP address (RFC 5280, 4.2.1.6). */
  private static final Set<Integer> NAME_KINDS = Set.of(1, 2, 6, 7);

  private final @Nullable X509TrustManager authorities;
  private final Set<String> allowedNames;

  private ClientTrust(@Nullable X509TrustManager authorities, Set<String> allowedNames) {
    this.authorities = authorities;
    this.allowedNames = allowedNames;
  }

  static ClientTrust of(TlsConfig tls) throws WebConfigException {
    PemSource source = tls.clientCa();
    if (source == null || !tls.clientAuth().isVerified()) {
      return new ClientTrust(null, Set.of());
    }
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate authority : Pem.certificates(source)) {
        store.setCertificateEntry("ca-" + number++, authority);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager authorities) {
          return new ClientTrust(authorities, tls.allowedSans());
        }
      }
      throw new WebConfigException(source.name() + ": this JVM verifies no certificates");
    } catch (GeneralSecurityException | java.io.IOException e) {
      if (e instanceof WebConfigException known) {
        throw known;
      }
      throw new WebConfigException(source.name() + " cannot be used (" + e + ")", e);
    }
  }

  /** Returns the certificates of authorities, by whose names a client selects its certificate. */
  X509Certificate[] authorities() {
    return authorities == null ? new X509Certificate[0] : authorities.getAcceptedIssuers();
  }

  /**
   * Verifies a client, and throws if it is not accepted. Without authorities every client is
   * accepted, but no client is then authenticated by a certificate.
   *
   * @param algorithm algorithm of the key in the certificate
   */
  void check(X509Certificate[] chain, String algorithm) throws CertificateException {
    if (authorities == null) {
      return;
    }
    // The trust manager does not check the validity of a certificate that is itself an authority.
    chain[0].checkValidity();
    authorities.checkClientTrusted(chain, algorithm);
    if (!allowedNames.isEmpty() && names(chain[0]).stream().noneMatch(this::isAllowed)) {
      throw new CertificateException("none of its names is among client_allowed_sans");
    }
  }

  private boolean isAllowed(List<?> kindAndName) {
    if (!(kindAndName.get(0) instanceof Integer kind)
        || !NAME_KINDS.contains(kind)
        || !(kindAndName.get(1) instanceof String name)) {
      return false;
    }
    return allowedNames.contains(name)
        || allowedNames.stream().anyMatch(allowed -> isSameAddress(allowed, name));
  }

  private static Collection<List<?>> names(X509Certificate certificate)
      throws CertificateException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names == null ? List.of() : names;
  }

  /**
   * Returns whether both texts are the same address, in any notation. Does not use a name server.
   */
  private static boolean isSameAddress(String one, String other) {
    if (!ADDRESS.matcher(one).matches() || !ADDRESS.matcher(other).matches()) {
      return false;
    }
    try {
      return InetAddress.getByName(one).equals(InetAddress.getByName(other));
    } catch (UnknownHostException e) {
      return false;
    }
  }
}

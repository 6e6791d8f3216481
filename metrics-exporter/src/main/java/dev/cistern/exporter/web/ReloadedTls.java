/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS of the JDK. Each connection uses the configuration in force at its begin. */
final class ReloadedTls {
  private final WebConfigFile file;
  private final SSLContext context;

  ReloadedTls(WebConfigFile file) throws WebConfigException {
    this.file = file;
    this.context = context(file);
  }

  private static SSLContext context(WebConfigFile file) throws WebConfigException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Keys(file)}, new TrustManager[] {new Clients(file)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new WebConfigException("this JVM has no TLS (" + e + ")", e);
    }
  }

  private static TlsMaterial material(WebConfigFile file) {
    TlsMaterial tls = file.current().tls();
    if (tls == null) {
      throw new IllegalStateException("TLS does not go away while the server runs");
    }
    return tls;
  }

  /** Returns the encrypted side of a connection, before its handshake. */
  SSLSocket encrypt(Socket socket) throws IOException {
    SSLSocketFactory factory = context.getSocketFactory();
    // A stream of consumed bytes makes it the server side.
    SSLSocket encrypted =
        (SSLSocket) factory.createSocket(socket, InputStream.nullInputStream(), true);
    TlsConfig tls = material(file).config();
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(tls.protocols().toArray(new String[0]));
    if (!tls.cipherSuites().isEmpty()) {
      parameters.setCipherSuites(suites(tls, parameters.getCipherSuites()));
    }
    parameters.setUseCipherSuitesOrder(tls.prefersOwnOrder());
    NamedGroups.set(parameters, tls.groups());
    if (tls.clientAuth().isNeeded()) {
      parameters.setNeedClientAuth(true);
    } else {
      parameters.setWantClientAuth(tls.clientAuth().isWanted());
    }
    encrypted.setSSLParameters(parameters);
    return encrypted;
  }

  /**
   * Returns the cipher suites. The file selects only those up to TLS 1.2; the names of those of TLS
   * 1.3 have no "with".
   */
  private static String[] suites(TlsConfig tls, String[] defaults) {
    List<String> suites = new ArrayList<>(tls.cipherSuites());
    Arrays.stream(defaults)
        .filter(suite -> !suite.contains("_WITH_") && suite.startsWith("TLS_"))
        .filter(suite -> !suite.endsWith("_SCSV") && !suites.contains(suite))
        .forEach(suites::add);
    return suites.toArray(new String[0]);
  }

  /** Key manager with the key in force. */
  private static final class Keys extends X509ExtendedKeyManager {
    private final WebConfigFile file;

    /** The latest manager and the one before, because the file may change during a handshake. */
    private volatile @Nullable X509ExtendedKeyManager latest;

    private volatile @Nullable X509ExtendedKeyManager former;

    Keys(WebConfigFile file) {
      this.file = file;
    }

    private X509ExtendedKeyManager inForce() {
      X509ExtendedKeyManager keys = material(file).keys();
      if (keys != latest) {
        former = latest;
        latest = keys;
      }
      return keys;
    }

    /** Searches both managers. Each version has a different alias. */
    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      X509Certificate[] chain = inForce().getCertificateChain(alias);
      X509ExtendedKeyManager before = former;
      return chain != null || before == null ? chain : before.getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      PrivateKey key = inForce().getPrivateKey(alias);
      X509ExtendedKeyManager before = former;
      return key != null || before == null ? key : before.getPrivateKey(alias);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      return inForce().chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal[] issuers) {
      return inForce().getServerAliases(keyType, issuers);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal[] issuers, Socket socket) {
      return null;
    }
  }

  /** Trust manager with the authorities in force. */
  private static final class Clients extends X509ExtendedTrustManager {
    private final WebConfigFile file;

    Clients(WebConfigFile file) {
      this.file = file;
    }

    private void check(X509Certificate[] chain, String algorithm) throws CertificateException {
      material(file).clients().check(chain, algorithm);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm, SSLEngine engine)
        throws CertificateException {
      check(chain, algorithm);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm, Socket socket)
        throws CertificateException {
      check(chain, algorithm);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm)
        throws CertificateException {
      check(chain, algorithm);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm, SSLEngine engine)
        throws CertificateException {
      checkServerTrusted(chain, algorithm);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm, Socket socket)
        throws CertificateException {
      checkServerTrusted(chain, algorithm);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm)
        throws CertificateException {
      throw new CertificateException("there are clients only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return material(file).clients().authorities();
    }
  }
}

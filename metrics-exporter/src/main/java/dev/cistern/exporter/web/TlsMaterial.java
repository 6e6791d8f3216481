/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Certificates and key of one reading, checked against each other.
 *
 * @param config the configuration that names them
 * @param keys the server's certificate and key
 * @param clients verifies clients
 * @param expiryMillis expiry time of the server's certificate, in milliseconds since the epoch
 */
record TlsMaterial(
    TlsConfig config, X509ExtendedKeyManager keys, ClientTrust clients, long expiryMillis) {

  static TlsMaterial read(TlsConfig config) throws WebConfigException {
    List<X509Certificate> chain = Pem.certificates(config.cert());
    PrivateKey key = Pem.privateKey(config.key());
    X509Certificate own = chain.get(0);
    if (!isPair(key, own.getPublicKey())) {
      throw new WebConfigException(
          config.key().name()
              + " does not belong to the certificate of "
              + config.cert().name()
              + "; allowed: the key of its first certificate");
    }
    return new TlsMaterial(
        config,
        keys(chain, key),
        ClientTrust.of(config),
        own.getNotAfter().toInstant().toEpochMilli());
  }

  /** Returns whether the public key verifies a signature of the private key. */
  private static boolean isPair(PrivateKey key, PublicKey publicKey) {
    try {
      String algorithm =
          switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
          };
      byte[] text = {1, 2, 3};
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static X509ExtendedKeyManager keys(List<X509Certificate> chain, PrivateKey key)
      throws WebConfigException {
    try {
      char[] password = UUID.randomUUID().toString().toCharArray();
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      // A unique alias, by which a handshake finds its key even after a change.
      store.setKeyEntry(
          "server-" + UUID.randomUUID(), key, password, chain.toArray(new Certificate[0]));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, password);
      for (KeyManager manager : factory.getKeyManagers()) {
        if (manager instanceof X509ExtendedKeyManager keys) {
          return keys;
        }
      }
      throw new WebConfigException("this JVM has no manager for keys");
    } catch (GeneralSecurityException | IOException e) {
      if (e instanceof WebConfigException known) {
        throw known;
      }
      throw new WebConfigException("the key and its certificate cannot be used (" + e + ")", e);
    }
  }
}

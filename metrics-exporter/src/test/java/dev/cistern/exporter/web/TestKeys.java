/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Keys and certificates, which the JDK's keytool creates in a directory of a test. */
public final class TestKeys {
  private static final String PASSWORD = "changeit";

  private final Path directory;

  /**
   * Creates an empty set of keys.
   *
   * @param directory the directory of the files
   */
  public TestKeys(Path directory) {
    this.directory = directory;
  }

  /** Creates an authority: {@code name.p12} and {@code name.crt}. */
  public TestKeys authority(String name) throws IOException, InterruptedException {
    return make(name, "EC", null, "-validity", "30", "-ext", "bc:c");
  }

  /** Creates a key and a certificate by an authority: {@code name.p12}, .key and .crt. */
  public TestKeys signed(String name, String authority, String... more)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("-ext", "SAN=dns:localhost,ip:127.0.0.1,dns:" + name + ".example"));
    arguments.addAll(List.of(more.length > 0 ? more : new String[] {"-validity", "30"}));
    return make(name, "EC", authority, arguments.toArray(new String[0]));
  }

  /** Creates a key and a certificate that expired yesterday. */
  public TestKeys expired(String name, String authority) throws IOException, InterruptedException {
    return signed(name, authority, "-startdate", "-10d", "-validity", "9");
  }

  /** Creates a key of another algorithm, with a self-signed certificate. */
  public TestKeys selfSigned(String name, String algorithm)
      throws IOException, InterruptedException {
    return make(name, algorithm, null, "-validity", "30");
  }

  private TestKeys make(String name, String algorithm, String authority, String... more)
      throws IOException, InterruptedException {
    List<String> pair = new ArrayList<>(List.of("-genkeypair", "-alias", name));
    pair.addAll(List.of("-keyalg", algorithm, "-dname", "CN=" + name));
    if (algorithm.equals("EC")) {
      pair.addAll(List.of("-groupname", "secp256r1"));
    }
    if (authority != null) {
      pair.addAll(List.of("-signer", authority, "-signerkeypass", PASSWORD));
    }
    pair.addAll(Arrays.asList(more));
    keytool(pair);
    try {
      Files.writeString(file(name + ".key"), pem("PRIVATE KEY", key(name).getEncoded()));
      StringBuilder chain = new StringBuilder();
      for (Certificate certificate : store().getCertificateChain(name)) {
        chain.append(pem("CERTIFICATE", certificate.getEncoded()));
      }
      Files.writeString(file(name + ".crt"), chain);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    return this;
  }

  /** Runs the JDK's keytool in this JVM: a JVM for each key would take a second or more. */
  private void keytool(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("-storetype", "PKCS12", "-keystore", file("keys.p12").toString()));
    // With -debug, keytool throws its failure and does not end the JVM.
    all.addAll(List.of("-storepass", PASSWORD, "-debug"));
    try {
      // The build's test JVMs export this package.
      Class.forName("sun.security.tools.keytool.Main")
          .getMethod("main", String[].class)
          .invoke(null, (Object) all.toArray(new String[0]));
    } catch (ReflectiveOperationException e) {
      throw new IOException(all.toString(), e);
    }
  }

  /** Returns a store with all keys and certificates, with the password {@link #password}. */
  public KeyStore store() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file("keys.p12"))) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  /** Returns a store with one key only, for a client. */
  public KeyStore storeOf(String name) throws IOException, GeneralSecurityException {
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    one.setKeyEntry(name, key(name), PASSWORD.toCharArray(), store().getCertificateChain(name));
    return one;
  }

  /** Returns a store that trusts one certificate. */
  public KeyStore trusting(String name) throws IOException, GeneralSecurityException {
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    byte[] pem = Files.readAllBytes(file(name + ".crt"));
    one.setCertificateEntry(
        name,
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
    return one;
  }

  /** Returns the password of the stores. */
  public char[] password() {
    return PASSWORD.toCharArray();
  }

  private Key key(String name) throws IOException, GeneralSecurityException {
    return store().getKey(name, PASSWORD.toCharArray());
  }

  /** Writes a web configuration for TLS with a certificate and a key, and returns its path. */
  public Path webConfig(String cert, String key) throws IOException {
    return Files.writeString(
        file("web.yml"),
        "tls_server_config: {cert_file: " + cert + ".crt, key_file: " + key + ".key}\n");
  }

  /** Returns the path of a file in the directory. */
  public Path file(String name) {
    return directory.resolve(name);
  }

  private static String pem(String kind, byte[] der) {
    byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, lineEnd).encodeToString(der)
        + "\n-----END "
        + kind
        + "-----\n";
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;

/**
 * A self-signed certificate for the loopback address. The JDK's {@code keytool} creates it at each
 * start, and its key never outlives the process.
 */
final class Certificate {
  private static final String ALIAS = "demo";
  private static final long KEYTOOL_LIMIT_SECONDS = 30;

  private final KeyStore store;
  private final char[] password;

  private Certificate(KeyStore store, char[] password) {
    this.store = store;
    this.password = password;
  }

  static Certificate make() throws IOException {
    Path directory = Files.createTempDirectory("demo-tls");
    Path file = directory.resolve("key.p12");
    String password = HexFormat.of().formatHex(new SecureRandom().generateSeed(16));
    try {
      runKeytool(file, password);
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, password.toCharArray());
      }
      return new Certificate(store, password.toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read the certificate that keytool made", e);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(directory);
    }
  }

  SslContext sslContext() throws IOException {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      return SslContextBuilder.forServer(keys).sslProvider(SslProvider.JDK).build();
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificate that keytool made", e);
    }
  }

  /** Returns the certificate without its key, for clients that trust only this server. */
  String pem() throws IOException {
    try {
      byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
      byte[] encoded = store.getCertificate(ALIAS).getEncoded();
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder(64, lineEnd).encodeToString(encoded)
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot encode the certificate", e);
    }
  }

  private static void runKeytool(Path file, String password) throws IOException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            keytool,
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            "30",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            // The password is in the environment because every user of the machine can read a
            // command line.
            "-storepass:env",
            "DEMO_STORE_PASSWORD");
    Map<String, String> environment = builder.environment();
    environment.put("DEMO_STORE_PASSWORD", password);
    // An agent for this JVM must not run in keytool.
    environment.remove("JAVA_TOOL_OPTIONS");
    File log = Files.createTempFile("demo-keytool", ".log").toFile();
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(log).start();
      await(process);
      if (process.exitValue() != 0) {
        throw new IOException("keytool failed: " + Files.readString(log.toPath()));
      }
    } finally {
      Files.deleteIfExists(log.toPath());
    }
  }

  private static void await(Process process) throws IOException {
    try {
      if (!process.waitFor(KEYTOOL_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("keytool did not end within " + KEYTOOL_LIMIT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool ran", e);
    }
  }
}

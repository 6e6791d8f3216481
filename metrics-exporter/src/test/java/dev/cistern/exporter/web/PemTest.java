/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {

  @TempDir static Path directory;

  private static TestKeys keys;

  @BeforeAll
  static void makeKeys() throws Exception {
    keys = new TestKeys(directory);
    keys.selfSigned("rsa", "RSA").selfSigned("ec", "EC").selfSigned("ed25519", "Ed25519");
  }

  private static PemSource source(Path file) {
    return new PemSource("web.yml: tls_server_config.key_file", file, null);
  }

  private static PemSource inline(String pem) {
    return new PemSource("web.yml: tls_server_config.key", null, pem);
  }

  private static void openssl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tool.path("openssl", "openssl")));
    command.addAll(List.of(arguments));
    Tool.Outcome outcome = Tool.run(new ProcessBuilder(command), 60);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rsa", "ec", "ed25519"})
  void keysBelongToTheirCertificates(String name) throws Exception {
    TlsConfig tls = WebConfigReader.read(keys.webConfig(name, name)).tls();
    assertThat(tls).isNotNull();
    assertThat(TlsMaterial.read(tls).expiryMillis()).isGreaterThan(System.currentTimeMillis());
    String key = name.equals("ec") ? "rsa" : "ec";
    TlsConfig other = WebConfigReader.read(keys.webConfig(name, key)).tls();
    assertThat(other).isNotNull();
    assertThat(assertThrows(WebConfigException.class, () -> TlsMaterial.read(other)))
        .hasMessageContaining("does not belong to the certificate");
  }

  @Test
  void olderFormsAreTheSameKeys() throws Exception {
    Path rsa = keys.file("rsa.pkcs1");
    openssl("rsa", "-traditional", "-in", keys.file("rsa.key").toString(), "-out", rsa.toString());
    assertThat(Files.readString(rsa)).contains("BEGIN RSA PRIVATE KEY");
    assertThat(Pem.privateKey(source(rsa))).isEqualTo(Pem.privateKey(source(keys.file("rsa.key"))));
    Path ec = keys.file("ec.sec1");
    openssl("ec", "-in", keys.file("ec.key").toString(), "-out", ec.toString());
    assertThat(Files.readString(ec)).contains("BEGIN EC PRIVATE KEY");
    assertThat(secret(ec)).isEqualTo(secret(keys.file("ec.key")));
  }

  private static BigInteger secret(Path file) throws IOException {
    return ((ECPrivateKey) Pem.privateKey(source(file))).getS();
  }

  @Test
  void aKeyThatIsEncryptedNamesTheCommandThatHelps() throws Exception {
    Path locked = keys.file("locked.key");
    openssl(
        "pkcs8",
        "-topk8",
        "-passout",
        "pass:x",
        "-in",
        keys.file("ec.key").toString(),
        "-out",
        locked.toString());
    assertThat(assertThrows(WebConfigException.class, () -> Pem.privateKey(source(locked))))
        .hasMessageContaining("ENCRYPTED")
        .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt")
        .hasMessageContaining(locked.toString());
  }

  @Test
  void onlyBrokenKeysAreRefused() throws Exception {
    assertThrows(WebConfigException.class, () -> Pem.privateKey(inline("")));
    assertThrows(WebConfigException.class, () -> Pem.certificates(inline("")));
    assertThrows(WebConfigException.class, () -> Pem.privateKey(source(keys.file("absent"))));
    String pem = Files.readString(keys.file("ec.key"));
    byte[] der =
        Base64.getMimeDecoder()
            .decode(pem.replaceAll("-----[^-]*-----", "").getBytes(StandardCharsets.US_ASCII));
    for (int length = 0; length < der.length; length++) {
      byte[] cut = new byte[length];
      System.arraycopy(der, 0, cut, 0, length);
      String text = Base64.getEncoder().encodeToString(cut);
      for (String kind : new String[] {"", "RSA ", "EC ", "DSA ", "OPENSSH "}) {
        String broken =
            "-----BEGIN "
                + kind
                + "PRIVATE KEY-----\n"
                + text
                + "\n-----END "
                + kind
                + "PRIVATE KEY-----";
        WebConfigException e =
            assertThrows(WebConfigException.class, () -> Pem.privateKey(inline(broken)));
        assertThat(e.getMessage()).doesNotContain("MIG");
      }
    }
    String certificate = Files.readString(keys.file("ec.crt"));
    assertThrows(
        WebConfigException.class,
        () -> Pem.certificates(inline(certificate.replaceFirst("MII", "AAA"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN TOK3N PRIVATE KEY-----\nAAAA\n-----END TOK3N PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nTOK3N\n-----END PRIVATE KEY-----",
        "-----BEGIN TOK3N-----\nAAAA\n-----END TOK3N-----",
        "-----BEGIN CERTIFICATE-----\nTOK3N\n-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END TOK3N-----",
        "-----BEGIN CERTIFICATE TOK3N",
        "TOK3N",
      })
  void nothingOfAFileIsInTheRefusalNorInItsCauses(String pem) {
    for (Executable reading :
        List.<Executable>of(
            () -> Pem.privateKey(inline(pem)), () -> Pem.certificates(inline(pem)))) {
      StringWriter trace = new StringWriter();
      assertThrows(WebConfigException.class, reading).printStackTrace(new PrintWriter(trace));
      assertThat(trace.toString()).contains("web.yml: ").doesNotContain("TOK3N");
    }
  }
}

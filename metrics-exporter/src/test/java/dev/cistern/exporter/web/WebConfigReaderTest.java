/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebConfigReaderTest {
  private static final String HASH = "$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG";

  @TempDir Path directory;

  private WebConfig read(String yaml) throws IOException {
    return WebConfigReader.read(Files.writeString(directory.resolve("web.yml"), yaml));
  }

  private String refusal(String yaml) {
    return assertThrows(WebConfigException.class, () -> read(yaml)).getMessage();
  }

  @Test
  void everyKeyOfTheDocumentationIsKnown() throws Exception {
    WebConfig config =
        read(
            """
            tls_server_config:
              cert_file: server.crt
              key_file: /etc/server.key
              client_auth_type: RequireAndVerifyClientCert
              client_ca_file: ca.crt
              client_allowed_sans: [prometheus.example, 10.0.0.1]
              min_version: TLS13
              max_version: TLS13
              cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]
              prefer_server_cipher_suites: false
              curve_preferences: []
            http_server_config:
              http2: true
              headers:
                Content-Security-Policy: default-src 'none'
                X-Frame-Options: deny
                X-Content-Type-Options: nosniff
                X-XSS-Protection: "0"
                Strict-Transport-Security: max-age=31536000
            basic_auth_users:
              alice: %s
            rate_limit:
              interval: 500ms
              burst: 20
            """
                .formatted(HASH));
    TlsConfig tls = config.tls();
    assertThat(tls).isNotNull();
    assertThat(tls.cert().file()).isEqualTo(directory.resolve("server.crt"));
    assertThat(tls.key().file()).isEqualTo(Path.of("/etc/server.key"));
    assertThat(tls.clientAuth()).isEqualTo(ClientAuth.REQUIRE_AND_VERIFY);
    assertThat(tls.allowedSans()).containsExactlyInAnyOrder("prometheus.example", "10.0.0.1");
    assertThat(tls.protocols()).containsExactly("TLSv1.3");
    assertThat(tls.prefersOwnOrder()).isFalse();
    assertThat(config.users()).containsEntry("alice", HASH);
    assertThat(config.headers()).hasSize(5).containsEntry("X-XSS-Protection", "0");
    assertThat(config.rateLimit()).isEqualTo(new WebConfig.RateLimit(500_000_000, 20));
  }

  @Test
  void theExampleOfTheDocumentationIsRead() throws Exception {
    String page = Files.readString(Repository.path("docs/exporter.md"));
    int start = page.indexOf("```yaml\ntls_server_config:") + "```yaml\n".length();
    WebConfig config = read(page.substring(start, page.indexOf("```", start)));
    assertThat(config.tls()).isNotNull();
    assertThat(config.users()).containsKey("prometheus");
    assertThat(config.rateLimit()).isNotNull();
  }

  @Test
  void anEmptyMappingConfiguresNothing() throws Exception {
    WebConfig config = read("{}");
    assertThat(config.tls()).isNull();
    assertThat(config.users()).isEmpty();
    assertThat(config.rateLimit()).isNull();
    assertThat(read("rate_limit: {interval: 0, burst: 0}\n").rateLimit()).isNull();
    assertThat(read("basic_auth_users: {}\n").users()).isEmpty();
  }

  /** A truncated or unfinished file: the missing part can be a login. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "|the file is empty",
        "# nothing yet\n|the file is empty",
        "---\n|the file is empty",
        "tls_server_config:\n|tls_server_config is empty",
        "tls_server_config:\n  cert: a\n  key: b\n  client_auth_type:\n|client_auth_type is empty",
        "basic_auth_users:\n|basic_auth_users is empty",
        "basic_auth_users:\n  bob:\n|basic_auth_users.bob is empty",
        "http_server_config:\n  headers:\n|http_server_config.headers is empty",
        "rate_limit:\n|rate_limit is empty",
      })
  void emptyValuesAreRefused(String row) {
    List<String> parts = List.of(row.split("\\|", -1));
    assertThat(refusal(parts.get(0))).contains(parts.get(1), "allowed: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tls_server_confg: {}|tls_server_confg is unknown|basic_auth_users",
        "tls_server_config: {certfile: a}|cert_file|PEM",
        "tls_server_config: {cert_file: a}|key_file|PEM",
        "tls_server_config: {cert_file: a, key_file: b, x: 1}|tls_server_config.x|curve_preferences",
        "tls_server_config: {cert_file: a, cert: b, key: c}|both there|one of them",
        "tls_server_config: {cert: a, key: b, min_version: TLS10}|min_version = 'TLS10'|TLS12 or TLS13",
        "tls_server_config: {cert: a, key: b, min_version: TLS13, max_version: TLS12}|max_version = 'TLS12'|later",
        "tls_server_config: {cert: a, key: b, client_auth_type: Yes}|client_auth_type|NoClientCert",
        "tls_server_config: {cert: a, key: b, client_auth_type: RequireAndVerifyClientCert}|client_ca_file|PEM",
        "tls_server_config: {cert: a, key: b, client_ca: c}|client_auth_type|another",
        "tls_server_config: {cert: a, key: b, client_allowed_sans: [x]}|client_allowed_sans|verifies",
        "tls_server_config: {cert: a, key: b, cipher_suites: [TLS_X]}|cipher_suites = 'TLS_X'|JDK",
        "tls_server_config: {cert: a, key: b, curve_preferences: [P]}|curve_preferences = 'P'|X25519",
        "tls_server_config: {cert: a, key: b, prefer_server_cipher_suites: 1}|= '1'|true or false",
        "http_server_config: {headers: {X-Frame-Options: allow}}|X-Frame-Options = 'allow'|deny",
        "http_server_config: {headers: {Server: x}}|headers.Server is unknown|X-Frame-Options",
        "http_server_config: {http2: maybe}|http2 = 'maybe'|true or false",
        "basic_auth_users: {bob: secret}|bob has no bcrypt hash|htpasswd",
        "basic_auth_users: {'a:b': x}|basic_auth_users.a... is no user name|colon",
        "basic_auth_users: [bob]|basic_auth_users|mapping",
        "rate_limit: {interval: soon, burst: 1}|interval = 'soon'|500ms",
        "rate_limit: {interval: 1s}|burst = 'null'|1 to",
        "rate_limit: {interval: 1s, burst: 0}|burst = '0'|1 to",
        "- list|mapping|key: value",
        "a: [|not YAML: line 1, column 5 (ParserException)|key: value",
        "tls_server_config: {cert: a, key: b, cipher_suites: x}|cipher_suites is no list|a list",
      })
  void errorsAreNamed(String row) {
    List<String> parts = List.of(row.split("\\|", -1));
    assertThat(refusal(parts.get(0)))
        .startsWith(directory.resolve("web.yml").toString())
        .contains(parts.get(1), parts.get(2), "allowed: ");
  }

  @Test
  void aHashThatIsTooCostlyIsRefusedAndNotShown() {
    String costly = HASH.replace("$10$", "$31$");
    assertThat(refusal("basic_auth_users: {bob: '" + costly + "'}"))
        .contains("cost 31", "4 to 16")
        .doesNotContain("X0h1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "basic_auth_users: {bob: hunter2}",
        "basic_auth_users: {bob: hunter2\n",
        "basic_auth_users: {bob:hunter2}",
        "basic_auth_users: {'bob:hunter2': x}",
        "basic_auth_users:\n  bob: hunter2: x\n",
        "basic_auth_users:\n  bob: 'hunter2\n",
        "basic_auth_users:\n  bob: *hunter2\n",
        "basic_auth_users:\n  bob: !hunter2 x\n",
        "basic_auth_users:\n  bob: !!int hunter2\n",
        "basic_auth_users:\n  bob: \"hunter2\\q\"\n",
        "basic_auth_users:\n  {{ .hunter2 }}: x\n",
        "basic_auth_users:\n  - bob:hunter2\n",
        "bob:hunter2: x\n",
        "hunter2\u0001",
        "tls_server_config:\n  cert: a\n  key:\n    bob: hunter2\n",
        "tls_server_config: {cert: a, key: b, prefer_server_cipher_suites: {bob: hunter2}}",
        "tls_server_config: {cert: a, key: b, client_allowed_sans: {bob: hunter2}}",
        "tls_server_config: {cert: a, key: b, cipher_suites: [{bob: hunter2}]}",
      })
  void aSecretIsNotInTheRefusalNorInItsCauses(String yaml) {
    WebConfigException e = assertThrows(WebConfigException.class, () -> read(yaml));
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).contains("web.yml").doesNotContain("hunter2");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path absent = directory.resolve("absent.yml");
    assertThat(assertThrows(WebConfigException.class, () -> WebConfigReader.read(absent)))
        .hasMessageContaining(absent.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1s,1000000000",
    "500ms,500000000",
    "1m30s,90000000000",
    "0.5s,500000000",
    "10us,10000",
    "1h,3600000000000",
    "99999999h,86400000000000",
    "'',-1",
    "1,-1",
    "s,-1",
    "1s x,-1",
    "-1s,-1"
  })
  void durationsAreThoseOfGo(String text, long nanos) {
    assertThat(GoDuration.nanos(text)).isEqualTo(nanos);
  }
}

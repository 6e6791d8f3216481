/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;

import at.favre.lib.crypto.bcrypt.BCrypt;
import dev.cistern.exporter.web.TestKeys;
import dev.cistern.exporter.web.WebConfigException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a web configuration file, from the view of its clients. */
@Timeout(120)
class WebAccessTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String LOGIN = RawHttp.login("alice", "wonderland");

  @TempDir static Path keyDirectory;

  private static TestKeys keys;

  @TempDir Path directory;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private ExporterServer server;

  @BeforeAll
  static void makeKeys() throws Exception {
    keys =
        new TestKeys(keyDirectory)
            .authority("ca")
            .authority("other-ca")
            .signed("server", "ca")
            .signed("second", "ca")
            .expired("old-server", "ca")
            .signed("client", "ca")
            .expired("old-client", "ca")
            .signed("stranger", "other-ca");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Path write(String yaml) throws IOException {
    Path next = Files.writeString(directory.resolve("next.yml"), yaml);
    Path file = directory.resolve("web.yml");
    return Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private RawHttp start(String yaml) throws IOException {
    server =
        ExporterServer.start(
            "127.0.0.1:0",
            Reports::host,
            ExporterOptions.DEFAULT.withWebConfig(write(yaml), log::add));
    return RawHttp.plain(server.port());
  }

  private static String users(String user, String password) {
    String hash = BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(6, password.toCharArray());
    return "basic_auth_users:\n  " + user + ": " + hash + "\n";
  }

  private static String tls(String name, String more) {
    return "tls_server_config:\n  cert_file: "
        + keys.file(name + ".crt")
        + "\n  key_file: "
        + keys.file(name + ".key")
        + "\n"
        + more;
  }

  private static final String MUTUAL =
      "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ";

  private RawHttp client(String name) throws Exception {
    return RawHttp.tls(server.port(), keys, "ca", name);
  }

  @Test
  void withoutTheRightPasswordThereIsNothingButHealth() throws Exception {
    RawHttp client = start(users("alice", "wonderland"));
    for (String path : List.of("/", "/metrics", "/leaks", "/debug/pprof/heap", "/nothing")) {
      for (String header :
          List.of(
              "Accept: */*",
              RawHttp.login("alice", "Wonderland"),
              RawHttp.login("eve", "wonderland"),
              "Authorization: Basic ???",
              LOGIN + "\r\n" + LOGIN)) {
        String refusal = client.get(path, header);
        assertThat(refusal)
            .startsWith("HTTP/1.1 401 ")
            .containsIgnoringCase("WWW-Authenticate: Basic realm=\"Cistern\"")
            .doesNotContain("Exception", "com.shop", "\tat ");
      }
      // On the same machine, too, because a proxy can run here.
      assertThat(client.send("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n"))
          .startsWith("HTTP/1.1 401 ");
    }
    assertThat(client.get("/-/healthy")).startsWith("HTTP/1.1 200 ");
    assertThat(client.get("/-/ready")).startsWith("HTTP/1.1 200 ");
    assertThat(client.get("/metrics", LOGIN))
        .contains("cistern_http_requests_refused_total{reason=\"no_login\"} 30.0");
  }

  @Test
  void withTheRightPasswordThereIsEverythingFromAnywhere() throws Exception {
    RawHttp client = start(users("alice", "wonderland"));
    assertThat(client.get("/metrics", LOGIN))
        .startsWith("HTTP/1.1 200 ")
        .contains("site=\"com.shop.Cart.encode:42\"");
    assertThat(client.get("/leaks", LOGIN)).contains("com.shop.Cart.encode:42 (hash ");
    // Not 403: the page exists, but this server has no directory for dumps.
    assertThat(client.request("POST", "/debug/dump", LOGIN)).startsWith("HTTP/1.1 404 ");
    assertThat(client.request("POST", "/debug/dump", LOGIN, "Origin: http://shop.example"))
        .startsWith("HTTP/1.1 404 ");
    assertThat(client.request("POST", "/debug/dump", LOGIN, "Origin: https://evil.example"))
        .startsWith("HTTP/1.1 403 ");
  }

  @Test
  void aConfigurationWithoutAuthenticationChangesNoAccess() throws Exception {
    RawHttp client = start("http_server_config:\n  headers:\n    X-Frame-Options: deny\n");
    assertThat(client.get("/metrics"))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("X-Frame-Options: deny")
        .contains(SiteLabelTest.CART_HASH)
        .doesNotContain("com.shop");
    assertThat(client.get("/leaks")).startsWith("HTTP/1.1 403 ");
    assertThat(client.send("GET /leaks HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aChangedPasswordCountsWithoutARestartAndABrokenFileDoesNot() throws Exception {
    RawHttp client = start(users("alice", "wonderland"));
    assertThat(client.get("/metrics", LOGIN)).startsWith("HTTP/1.1 200 ");
    write(users("alice", "looking-glass"));
    String next = RawHttp.login("alice", "looking-glass");
    await().atMost(LIMIT).until(() -> client.get("/metrics", next).startsWith("HTTP/1.1 200 "));
    assertThat(client.get("/metrics", LOGIN)).startsWith("HTTP/1.1 401 ");
    write("basic_auth_users:\n  alice: plain\n");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                client
                    .get("/metrics", next)
                    .contains("cistern_web_config_reload_failures_total 1.0"));
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).contains("web.yml", "basic_auth_users.alice", "htpasswd");
    assertThat(client.get("/metrics", next)).startsWith("HTTP/1.1 200 ");
    write(users("alice", "wonderland"));
    await().atMost(LIMIT).until(() -> client.get("/metrics", LOGIN).startsWith("HTTP/1.1 200 "));
  }

  @Test
  void aReloadThatTakesAwayTheLastLoginIsRefused() throws Exception {
    RawHttp client = start(users("alice", "wonderland"));
    int failures = 0;
    for (String next : List.of("", "basic_auth_users:\n", "{}\n", "rate_limit: {interval: 0}\n")) {
      write(next);
      String counted = "cistern_web_config_reload_failures_total " + ++failures + ".0";
      await().atMost(LIMIT).until(() -> client.get("/metrics", LOGIN).contains(counted));
      assertThat(client.get("/metrics")).as(next).startsWith("HTTP/1.1 401 ");
    }
    assertThat(log).hasSize(failures);
    assertThat(log.get(0)).contains("the file is empty");
    assertThat(log.get(2)).contains("basic_auth_users", "until a restart");
  }

  @Test
  void tooManyRequestsAreRefusedButNotThoseForHealth() throws Exception {
    RawHttp client = start("rate_limit:\n  interval: 1h\n  burst: 3\n");
    for (int i = 0; i < 5; i++) {
      assertThat(client.get("/-/healthy")).startsWith("HTTP/1.1 200 ");
      assertThat(client.get("/-/ready")).startsWith("HTTP/1.1 200 ");
    }
    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ");
    }
    assertThat(client.get("/metrics"))
        .startsWith("HTTP/1.1 429 ")
        .containsIgnoringCase("Retry-After: 1");
  }

  @Test
  void aFloodWithoutALoginDoesNotLockOutAClientWithALogin() throws Exception {
    RawHttp client =
        start(users("alice", "wonderland") + "rate_limit:\n  interval: 1h\n  burst: 3\n");
    assertThat(client.get("/metrics", LOGIN)).startsWith("HTTP/1.1 200 ");
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 401 ");
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 401 ");
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 429 ");
    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/metrics", LOGIN)).startsWith("HTTP/1.1 200 ");
    }
    assertThat(client.get("/metrics", LOGIN)).startsWith("HTTP/1.1 429 ");
  }

  @Test
  void aBrokenConfigurationStartsNothing() {
    assertThat(
            assertThrows(
                WebConfigException.class, () -> start("tls_server_config: {cert_file: x}\n")))
        .hasMessageContaining("key_file");
    assertThrows(
        WebConfigException.class,
        () -> start("tls_server_config: {cert_file: absent.crt, key_file: absent.key}\n"));
  }

  @Test
  void tlsServesClientsThatTrustItsAuthority() throws Exception {
    start(tls("server", ""));
    assertThat(server.scheme()).isEqualTo("https");
    assertThat(client(null).get("/metrics"))
        .startsWith("HTTP/1.1 200 ")
        .contains("cistern_web_certificate_expiry_timestamp_seconds ");
    // Plain HTTP is not TLS, and does no harm.
    assertClosed(RawHttp.plain(server.port()), "GET / HTTP/1.0\r\n\r\n");
    assertThat(client(null).get("/-/healthy")).startsWith("HTTP/1.1 200 ");
    RawHttp wrong = RawHttp.tls(server.port(), keys, "other-ca", null);
    assertThrows(IOException.class, () -> wrong.get("/metrics"));
    assertThat(client(null).get("/-/healthy")).startsWith("HTTP/1.1 200 ");
  }

  private static void assertClosed(RawHttp client, String request) {
    String response;
    try {
      response = client.send(request);
    } catch (IOException e) {
      response = "";
    }
    assertThat(response).doesNotContain("HTTP/1", "cistern");
  }

  @Test
  void clientsRefuseAnExpiredServerCertificate() throws Exception {
    start(tls("old-server", ""));
    RawHttp client = client(null);
    assertThat(assertThrows(IOException.class, () -> client.get("/metrics")))
        .hasStackTraceContaining("validity check failed");
    RawHttp trustsThatOne = RawHttp.tls(server.port(), keys, "old-server", null);
    String metrics = trustsThatOne.get("/metrics");
    double expirySeconds =
        metrics
            .lines()
            .filter(line -> line.startsWith("cistern_web_certificate_expiry_timestamp_seconds "))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
            .findAny()
            .orElseThrow();
    assertThat(expirySeconds).isLessThan(System.currentTimeMillis() / 1e3).isPositive();
  }

  @Test
  void clientsNeedACertificateThatIsGood() throws Exception {
    start(tls("server", MUTUAL + keys.file("ca.crt") + "\n"));
    for (String bad : new String[] {null, "old-client", "stranger"}) {
      RawHttp client = client(bad);
      assertClosed(client, "GET /metrics HTTP/1.0\r\n\r\n");
      assertThat(client("client").get("/leaks"))
          .startsWith("HTTP/1.1 200 ")
          .contains("com.shop.Cart.encode:42");
    }
    assertThat(client("client").request("POST", "/debug/dump")).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void aClientCertificateNeedsAnAllowedName() throws Exception {
    String mutual = MUTUAL + keys.file("ca.crt") + "\n  client_allowed_sans: ";
    start(tls("server", mutual + "[client.example]\n"));
    assertThat(client("client").get("/metrics")).startsWith("HTTP/1.1 200 ");
    RawHttp second = client("second");
    assertClosed(second, "GET /metrics HTTP/1.0\r\n\r\n");
    server.close();
    start(tls("server", mutual + "[127.0.0.1]\n"));
    assertThat(client("second").get("/metrics")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void anOptionalCertificateGivesAccess() throws Exception {
    start(
        tls(
            "server",
            "  client_auth_type: VerifyClientCertIfGiven\n  client_ca_file: "
                + keys.file("ca.crt")
                + "\n"));
    assertThat(client("client").get("/leaks")).startsWith("HTTP/1.1 200 ");
    assertThat(client(null).get("/leaks")).startsWith("HTTP/1.1 403 ");
    assertThat(client(null).get("/metrics")).startsWith("HTTP/1.1 200 ").doesNotContain("com.shop");
    RawHttp expired = client("old-client");
    assertClosed(expired, "GET /metrics HTTP/1.0\r\n\r\n");
  }

  @Test
  void aPasswordAndACertificateAreNeededIfBothAreConfigured() throws Exception {
    start(tls("server", MUTUAL + keys.file("ca.crt") + "\n") + users("alice", "wonderland"));
    assertThat(client("client").get("/metrics")).startsWith("HTTP/1.1 401 ");
    assertThat(client("client").get("/leaks", LOGIN)).startsWith("HTTP/1.1 200 ");
    RawHttp nobody = client(null);
    assertClosed(nobody, "GET /leaks HTTP/1.0\r\n" + LOGIN + "\r\n\r\n");
  }

  @Test
  void anAuthorityThatIsNoLongerTrustedDoesNotServeOldConnections() throws Exception {
    start(tls("server", MUTUAL + keys.file("ca.crt") + "\n"));
    try (Socket socket = client("client").connect()) {
      String request = "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      write(tls("server", MUTUAL + keys.file("other-ca.crt") + "\n"));
      RawHttp stranger = client("stranger");
      await().atMost(LIMIT).until(() -> isHealthy(stranger));
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(RawHttp.readAll(socket.getInputStream()))
          .contains("HTTP/1.1 403 ")
          .doesNotContain("cistern_up");
    }
  }

  private static boolean isHealthy(RawHttp client) {
    try {
      return client.get("/-/healthy").startsWith("HTTP/1.1 200 ");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aNewCertificateIsServedWithoutARestart() throws Exception {
    Path cert = directory.resolve("server.crt");
    Path key = directory.resolve("server.key");
    Files.copy(keys.file("server.crt"), cert);
    Files.copy(keys.file("server.key"), key);
    start("tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n");
    assertThat(servedName()).isEqualTo("CN=server");
    Files.copy(keys.file("second.crt"), cert, StandardCopyOption.REPLACE_EXISTING);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(touched()).hasSize(1));
    assertThat(log.get(0)).contains("does not belong to the certificate");
    assertThat(servedName()).isEqualTo("CN=server");
    Files.copy(keys.file("second.key"), key, StandardCopyOption.REPLACE_EXISTING);
    await().atMost(LIMIT).until(() -> servedName().equals("CN=second"));
    assertThat(log).hasSize(1);
  }

  private List<String> touched() throws Exception {
    assertThat(client(null).get("/-/healthy")).startsWith("HTTP/1.1 200 ");
    return log;
  }

  private String servedName() throws Exception {
    try (Socket socket = client(null).connect()) {
      SSLSocket tls = (SSLSocket) socket;
      tls.startHandshake();
      X509Certificate own = (X509Certificate) tls.getSession().getPeerCertificates()[0];
      return own.getSubjectX500Principal().getName();
    }
  }
}

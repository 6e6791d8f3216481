/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.report.PostMortems;
import dev.cistern.exporter.report.SidecarControl;
import dev.cistern.exporter.report.SidecarSource;
import dev.cistern.exporter.web.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code POST /control}, from clients with and without a login. */
@Timeout(120)
class ControlPageTest {
  private static final String LOGIN = RawHttp.login("alice", "wonderland");
  private static final String ONE = "0000000000000001";
  private static final String OFF = "/control?mode=off&host=" + ONE;

  @TempDir private Path directory;

  /** An entry for each command: host, command and user. */
  private final List<String> written = new ArrayList<>();

  private final List<HostView> hosts = new ArrayList<>();
  private @Nullable ExporterServer server;

  private RawHttp start(@Nullable String webConfig, boolean isOn) throws IOException {
    for (int number = 1; number <= 3; number++) {
      HostIdentity host = SidecarReports.host(number);
      hosts.add(HostView.of(SidecarReports.report(host, 1_000, 0)));
    }
    SidecarControl control =
        (host, command, user) -> {
          if (host.id().endsWith("2")) {
            throw new IOException("cannot write 2: the disk is full");
          }
          written.add(host.id() + ' ' + command + ' ' + user);
          return host.id() + ".file";
        };
    PostMortems none =
        new PostMortems() {
          @Override
          public List<PostMortem> all() {
            return List.of();
          }

          @Override
          public HostView state(PostMortem postMortem) {
            throw new UnsupportedOperationException();
          }

          @Override
          public History history(PostMortem postMortem) {
            throw new UnsupportedOperationException();
          }
        };
    SidecarSource source = new SidecarSource(none, isOn ? control : null);
    ExporterOptions options = ExporterOptions.DEFAULT;
    if (webConfig != null) {
      Path file = Files.writeString(directory.resolve("web.yml"), webConfig);
      options = options.withWebConfig(file, line -> {});
    }
    server = ExporterServer.start("127.0.0.1:0", () -> hosts, options, source);
    return RawHttp.plain(server.port());
  }

  private static String users() {
    String hash =
        BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(6, "wonderland".toCharArray());
    return "basic_auth_users:\n  alice: " + hash + "\n";
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aClientWithAPasswordSendsACommand() throws Exception {
    RawHttp client = start(users(), true);
    assertThat(client.request("POST", OFF, LOGIN))
        .startsWith("HTTP/1.1 202 ")
        .contains("wrote 'mode=off' to " + ONE + ".file\n", "cistern_mode_info");
    assertThat(written).containsExactly(ONE + " mode=off alice");
    assertThat(client.get("/metrics", LOGIN))
        .contains("cistern_control_commands_total{result=\"accepted\"} 1.0")
        .contains("cistern_control_commands_total{result=\"failed\"} 0.0")
        .contains("cistern_control_commands_total{result=\"refused\"} 0.0");
  }

  @Test
  void withoutTheRightPasswordNothingIsWritten() throws Exception {
    RawHttp client = start(users(), true);
    assertThat(client.request("POST", OFF)).startsWith("HTTP/1.1 401 ");
    assertThat(client.request("POST", OFF, RawHttp.login("alice", "x")))
        .startsWith("HTTP/1.1 401 ");
    assertThat(client.request("GET", OFF, LOGIN))
        .startsWith("HTTP/1.1 405 ")
        .contains("Allow: POST");
    assertThat(written).isEmpty();
  }

  @Test
  void withoutAuthenticationItIsForbiddenAlsoOnTheSameMachine() throws Exception {
    RawHttp client = start(null, true);
    String local = "POST " + OFF + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
    assertThat(client.send(local))
        .startsWith("HTTP/1.1 403 ")
        .contains("setting webConfig", "basic_auth_users");
    stop();
    RawHttp headersOnly = start("http_server_config: {headers: {X-Frame-Options: deny}}\n", true);
    assertThat(headersOnly.send(local))
        .startsWith("HTTP/1.1 403 ")
        .contains("The web configuration requires none", "client_auth_type");
    assertThat(headersOnly.request("POST", OFF, LOGIN)).startsWith("HTTP/1.1 403 ");
    assertThat(written).isEmpty();
  }

  @Test
  void aClientCertificateIsALogin() throws Exception {
    TestKeys keys =
        new TestKeys(directory).authority("ca").signed("server", "ca").signed("client", "ca");
    String tls = "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n";
    start(tls + "  client_auth_type: VerifyClientCertIfGiven\n  client_ca_file: ca.crt\n", true);
    int port = server.port();
    assertThat(RawHttp.tls(port, keys, "ca", null).request("POST", OFF))
        .startsWith("HTTP/1.1 403 ");
    assertThat(written).isEmpty();
    assertThat(RawHttp.tls(port, keys, "ca", "client").request("POST", OFF))
        .startsWith("HTTP/1.1 202 ");
    assertThat(written).containsExactly(ONE + " mode=off CN=client");
  }

  @Test
  void aPageOfAnotherSiteSendsNoCommand() throws Exception {
    RawHttp client = start(users(), true);
    for (String header :
        List.of("Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site")) {
      assertThat(client.request("POST", OFF, LOGIN, header)).startsWith("HTTP/1.1 403 ");
    }
    assertThat(written).isEmpty();
    assertThat(client.request("POST", OFF, LOGIN, "Origin: http://shop.example"))
        .startsWith("HTTP/1.1 202 ");
  }

  @Test
  void withoutTheSettingThereAreNoCommands() throws Exception {
    RawHttp client = start(users(), false);
    assertThat(client.request("POST", OFF, LOGIN))
        .startsWith("HTTP/1.1 404 ")
        .contains("setting control to on");
  }

  @Test
  void aHostIsChosenByIdOrByAnUnambiguousName() throws Exception {
    RawHttp client = start(users(), true);
    assertThat(client.request("POST", "/control?mode=swap&percent=5&host=shop-3", LOGIN))
        .startsWith("HTTP/1.1 202 ");
    assertThat(written).containsExactly("0000000000000003 mode=swap,percent=5 alice");
    assertThat(client.request("POST", "/control?mode=off&host=nobody", LOGIN))
        .startsWith("HTTP/1.1 404 ")
        .contains(ONE + "  shop-1");
    HostIdentity twin = new HostIdentity("00000000000000ff", "shop-3", "", "", 1, "", 1_000);
    hosts.add(HostView.of(SidecarReports.report(twin, 1_000, 0)));
    HostIdentity impostor = new HostIdentity("00000000000000fe", ONE, "", "", 1, "", 1_000);
    hosts.add(HostView.of(SidecarReports.report(impostor, 1_000, 0)));
    assertThat(client.request("POST", "/control?mode=off&host=shop-3", LOGIN))
        .startsWith("HTTP/1.1 400 ")
        .contains("00000000000000ff  shop-3")
        .doesNotContain("shop-1");
    assertThat(client.request("POST", "/control?host=*", LOGIN))
        .startsWith("HTTP/1.1 400 ")
        .contains("mode: '' (expected: off, observe or swap)");
    assertThat(written).hasSize(1);
    assertThat(client.request("POST", OFF, LOGIN)).startsWith("HTTP/1.1 202 ");
    assertThat(written.get(1)).startsWith(ONE + " ");
    HostView gone = hosts.remove(0);
    hosts.add(gone.with(HostView.State.DIED, 1_000));
    hosts.removeIf(state -> state.id().equals(impostor.id()));
    assertThat(client.request("POST", OFF, LOGIN)).startsWith("HTTP/1.1 404 ");
    assertThat(client.get("/metrics", LOGIN))
        .contains("cistern_control_commands_total{result=\"refused\"} 4.0");
  }

  @Test
  void aCommandToAllHostsIsWrittenIfPossibleAndTheRestIsNamed() throws Exception {
    RawHttp client = start(users(), true);
    assertThat(client.request("POST", "/control?host=*&mode=observe", LOGIN))
        .startsWith("HTTP/1.1 500 ")
        .contains("cannot write 2: the disk is full", "to 0000000000000003.file");
    assertThat(written).hasSize(2);
    assertThat(client.get("/metrics", LOGIN))
        .contains("cistern_control_commands_total{result=\"accepted\"} 2.0")
        .contains("cistern_control_commands_total{result=\"failed\"} 1.0");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host whose mode a client changes through a sidecar. */
class SidecarControlIT {
  /** bcrypt of U*U. */
  private static final String HASH = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Limit for a machine under load; {@code ControlIT} measures the time. */
  private static final Duration EFFECTIVE = Duration.ofSeconds(30);

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  @TempDir(factory = SharedMemory.class)
  private Path folder;

  @TempDir private Path settings;

  private HttpResponse<String> send(SidecarJvm sidecar, String method, String path)
      throws IOException, InterruptedException {
    byte[] pair = "admin:U*U".getBytes(StandardCharsets.US_ASCII);
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.port() + path))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static void awaitMode(AgentEndpoint endpoint, String mode) {
    await()
        .atMost(EFFECTIVE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                endpoint.sum(
                        "cistern_mode_info",
                        "pool=\"io.netty\"",
                        "mode=\"" + mode + '"',
                        "source=\"sidecar\"")
                    == 1);
  }

  @Test
  void aCommandTakesEffect() throws Exception {
    Path web = settings.resolve("web.yml");
    Files.writeString(web, "basic_auth_users: {admin: '" + HASH + "'}\n");
    try (SidecarJvm sidecar = new SidecarJvm(folder, "--control=on", "--webConfig=" + web);
        RunningHost host =
            HostJvm.netty("4.1")
                .main("example.host.Steady")
                .agent(
                    AgentEndpoint.LISTEN
                        + ",control=sidecar,application=shop,statsDirectory="
                        + folder)
                .start()) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await()
          .atMost(START_LIMIT)
          .until(() -> endpoint.sum("cistern_mode_info", "mode=\"swap\"") == 1);
      await()
          .atMost(START_LIMIT)
          .until(() -> send(sidecar, "GET", "/metrics").body().contains("application=\"shop\""));
      assertThat(send(sidecar, "POST", "/control?host=shop&mode=off").statusCode()).isEqualTo(202);
      awaitMode(endpoint, "off");
      assertThat(send(sidecar, "POST", "/control?host=*&mode=swap&copies=io.netty").statusCode())
          .isEqualTo(202);
      awaitMode(endpoint, "swap");
      await()
          .atMost(EFFECTIVE)
          .until(
              () ->
                  send(sidecar, "GET", "/metrics")
                      .body()
                      .lines()
                      .anyMatch(
                          line ->
                              line.startsWith("cistern_mode_info{")
                                  && line.contains("source=\"sidecar\"")));
      assertThat(endpoint.sum("cistern_control_refusals_total")).isZero();
      assertThat(host.order("stop")).isEqualTo("0");
      host.terminate();
      await().atMost(START_LIMIT).until(this::hasNoControlFile);
      assertThat(send(sidecar, "GET", "/metrics").body())
          .contains("cistern_control_commands_total{result=\"accepted\"} 2.0")
          .contains("cistern_sidecar_files_refused 0.0");
    }
  }

  private boolean hasNoControlFile() throws IOException {
    try (var files = Files.list(folder)) {
      return files.noneMatch(file -> file.toString().endsWith(".sidecar-control"));
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the stack of {@code docker compose -f docker/compose.yaml up}, and its messages if it
 * cannot start.
 */
@Timeout(300)
class ComposeIT {
  private static final Duration FIRST_DATA = Duration.ofMinutes(1);
  private static final Duration FIRST_LEAK = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private Compose compose;

  @BeforeEach
  @Timeout(600)
  void build() throws Exception {
    Docker.require();
    compose = new Compose();
    compose.run("build", "-q", "agent", "demo", "sidecar");
  }

  @AfterEach
  void down() throws Exception {
    if (compose != null) {
      compose.down();
    }
  }

  private int status(String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** Returns the result of a query when Prometheus runs. */
  private JsonArray query(int port, String expression)
      throws InterruptedException, JsonParserException {
    String url =
        "http://127.0.0.1:"
            + port
            + "/api/v1/query?query="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8);
    try {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(url)).build(),
              HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200
          ? JsonParser.object().from(response.body()).getObject("data").getArray("result")
          : new JsonArray();
    } catch (IOException e) {
      return new JsonArray();
    }
  }

  /** Returns the first query of a panel, for every job and instance. */
  private static String queryOf(String file, String panel) throws IOException, JsonParserException {
    Path dashboard = Repository.path("dashboards").resolve(file);
    JsonArray panels = JsonParser.object().from(Files.readString(dashboard)).getArray("panels");
    for (int i = 0; i < panels.size(); i++) {
      if (panels.getObject(i).getString("title", "").equals(panel)) {
        return panels
            .getObject(i)
            .getArray("targets")
            .getObject(0)
            .getString("expr")
            .replaceAll("[$]__(rate_)?interval", "10s")
            .replaceAll("[$](job|instance|host)\\b", ".+");
      }
    }
    throw new AssertionError(file + " has no panel " + panel);
  }

  @Test
  void aMinuteUntilThereIsDataAndTwoUntilThereIsALeak() throws Exception {
    long start = System.nanoTime();
    compose.up();
    int port = compose.prometheusPort();
    String reserved = queryOf("overview.json", "Reserved");
    await()
        .atMost(FIRST_DATA.minusNanos(System.nanoTime() - start))
        .until(() -> !query(port, reserved).isEmpty());
    System.out.printf("first data after %.1f s%n", (System.nanoTime() - start) / 1e9);
    String leaks = queryOf("leaks.json", "Leaks by site");
    await()
        .atMost(FIRST_LEAK.minusNanos(System.nanoTime() - start))
        .until(() -> query(port, leaks).toString().contains("example.app.Leaks.forgetToRelease"));
    System.out.printf("first leak after %.1f s%n", (System.nanoTime() - start) / 1e9);
    String sidecar = "http://127.0.0.1:" + compose.sidecarPort();
    assertThat(status(sidecar + "/leaks")).as("without a login").isEqualTo(401);
    assertThat(status(sidecar + "/-/ready")).isEqualTo(200);
  }

  @Test
  void aBusyPortIsNamed() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      compose = new Compose(busy.getLocalPort());
      Tool.Outcome outcome = compose.call("up", "-d", "prometheus");
      assertThat(outcome.status()).isNotZero();
      assertThat(outcome.printed())
          .contains("127.0.0.1:" + busy.getLocalPort())
          .containsPattern("already (in use|allocated)");
    }
  }

  @Test
  void aMissingVolumeIsNamed() throws Exception {
    String whole = Files.readString(Repository.path("docker/compose.yaml"));
    int volumes = whole.indexOf("\nvolumes:\n");
    Path without = Files.writeString(folder.resolve("compose.yaml"), whole.substring(0, volumes));
    Tool.Outcome outcome = compose.callWith(without.toString(), "up", "-d", "sidecar");
    assertThat(outcome.status()).isNotZero();
    assertThat(outcome.printed()).containsPattern("(stats|agent|postmortems)").contains("volume");
  }

  /** Checks that neither container ends, and that both log the missing volume. */
  @Test
  void hostAndSidecarLogThatAVolumeIsMissing() throws Exception {
    String sidecar = Docker.run("run", "-d", "--rm", "--read-only", "cistern/sidecar:test");
    // In the foreground, this command ends after it has copied the jar.
    compose.run("up", "agent");
    String host =
        Docker.run(
            "run",
            "-d",
            "--rm",
            "--read-only",
            "-v",
            compose.project() + "_agent:/cistern:ro",
            "-e",
            "CISTERN_STATS_DIRECTORY=/var/run/cistern",
            "-e",
            "JAVA_TOOL_OPTIONS=-javaagent:/cistern/cistern-agent.jar",
            "cistern/demo:test");
    try {
      await()
          .atMost(FIRST_DATA)
          .untilAsserted(
              () ->
                  assertThat(Docker.run("logs", host))
                      .contains("stats file in /var/run/cistern")
                      .contains("Read-only file system")
                      .contains("ready http=8080"));
      await()
          .atMost(FIRST_DATA)
          .untilAsserted(
              () ->
                  assertThat(Docker.run("logs", sidecar))
                      .contains("cannot write to postmortemDirectory = '/var/lib/cistern'")
                      .contains("cannot write to statsDirectory = '/var/run/cistern'"));
      assertThat(Docker.run("ps", "-q", "--no-trunc")).contains(host, sidecar);
    } finally {
      Docker.run("kill", sidecar, host);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose endpoint has a web configuration. */
class WebConfigIT {
  /** bcrypt of U*U. */
  private static final String HASH = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  void thePasswordOfTheFileIsNeeded() throws Exception {
    Path file = folder.resolve("web.yml");
    Files.writeString(file, "basic_auth_users: {prometheus: '" + HASH + "'}\n");
    try (RunningHost host =
        HostJvm.netty("4.2")
            .main("example.host.Steady")
            .agent(AgentEndpoint.LISTEN + ",webConfig=" + file)
            .start()) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      HttpResponse<String> allowed = get(endpoint, "U*U");
      assertThat(allowed.statusCode()).isEqualTo(200);
      assertThat(allowed.body()).contains("cistern_up 1");
      HttpResponse<String> refused = get(endpoint, "guess");
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).doesNotContain("cistern_up");
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  private static HttpResponse<String> get(AgentEndpoint endpoint, String password)
      throws Exception {
    byte[] pair = ("prometheus:" + password).getBytes(StandardCharsets.US_ASCII);
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + "/metrics"))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aFileThatCannotBeUsedIsOneLineAndNoEndpoint() throws Exception {
    Path file = Files.writeString(folder.resolve("web.yml"), "basic_auth_users: {bob: secret}\n");
    Result result =
        HostJvm.netty("4.2")
            .agent("listen=127.0.0.1:0,webConfig=" + file)
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.agentLines().get(0))
        .contains("webConfig = '" + file + "'", "bob has no bcrypt hash", "no endpoint")
        .doesNotContain("secret");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the page of the packaged agent, and the chunk data that the agent requests from its
 * bridges.
 */
class PageIT {
  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"(assets/[^\"]+)\"");

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theAgentServesThePageAndItsChunks(String netty) throws Exception {
    try (ServerProcess server = Demo.startServed(Demo.host(netty))) {
      Metrics metrics = Demo.metrics(server);
      Demo.assertServes(server);
      Matcher loaded = LOADED.matcher(metrics.get("/"));
      int files = 0;
      while (loaded.find()) {
        assertThat(metrics.get("/" + loaded.group(1))).isNotBlank();
        files++;
      }
      assertThat(files).isEqualTo(2);
      assertThat(metrics.get("/state"))
          .contains("\"state\":\"up\"", "\"pool\":\"io.netty\"", "\"memory\":\"direct\"")
          .containsPattern("\"chunk_map\":\\[\\{\"band\":\"q[0-9A-Za-z]+\",\"usage\":[0-9]+}");
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.copy.NettyCopy;
import java.util.List;

/**
 * The agent's HTTP endpoint, opened when the first copy of Netty was found. Without it everything
 * else goes on.
 */
public final class Endpoint {
  private final String text;

  private Endpoint(String text) {
    this.text = text;
  }

  /** Opens it as configured; a failure is one line on stderr. */
  public static Endpoint open(AgentConfig config, List<NettyCopy> copies) {
    String listen = config.listen();
    return new Endpoint(listen == null ? "no endpoint" : "no endpoint yet at " + listen);
  }

  /** For the line that says that the agent serves. */
  public String describe() {
    return text;
  }
}

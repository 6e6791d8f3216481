/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.AgentConfig;
import dev.cistern.exporter.web.WebConfigException;

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
  public static Endpoint open(AgentConfig config, Diagnostics diagnostics) {
    String listen = config.listen();
    if (listen == null) {
      return new Endpoint("no endpoint");
    }
    try {
      return new Endpoint("metrics on " + EndpointServer.start(listen, config, diagnostics));
    } catch (Throwable failure) {
      Log.line(complaint(config, listen, failure));
      return new Endpoint("no endpoint");
    }
  }

  private static String complaint(AgentConfig config, String listen, Throwable failure) {
    String rest = "; there is no endpoint, everything else runs";
    return failure instanceof WebConfigException
        ? "webConfig = '" + config.webConfig() + "': " + failure.getMessage() + rest
        : "listen = '"
            + listen
            + "': "
            + reason(failure)
            + "; allowed: a free host:port, or none"
            + rest;
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  /** For the line that says that the agent serves. */
  public String describe() {
    return text;
  }
}

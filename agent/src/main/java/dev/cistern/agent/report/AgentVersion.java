/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of the agent, as it was built. */
public final class AgentVersion {
  /** Version such as {@code 1.0.0}; {@code unknown} if the jar does not contain it. */
  public static final String VALUE = read();

  private AgentVersion() {}

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in =
        AgentVersion.class.getClassLoader().getResourceAsStream("cistern-agent.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      // shown as unknown
    }
    return properties.getProperty("version", "unknown");
  }
}

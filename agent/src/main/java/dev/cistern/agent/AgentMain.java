/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.copy.CopyKeeper;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent's start, inside its own loader. It runs on the application's main thread, so it only
 * reads the settings and begins to look out; everything else happens on the agent's thread.
 */
public final class AgentMain {
  private AgentMain() {}

  /**
   * Starts the agent; called once, by reflection.
   *
   * @param arguments the agent arguments, or null
   * @param jar from the name of an entry of the agent's jar to its bytes
   */
  public static void start(
      @Nullable String arguments,
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar) {
    AgentConfig config;
    try {
      config = new ConfigReader().read(arguments);
    } catch (BadSettingException refused) {
      Log.line(
          refused.getMessage()
              + "; the agent stands aside, the application runs on its own allocator");
      return;
    }
    for (String complaint : config.complaints()) {
      Log.line(complaint);
    }
    if (config.mode().equals("off")) {
      return;
    }
    ThreadLocalRandom.current(); // not first inside a transformer: see Discovery.rehearse
    new CopyKeeper(config, instrumentation, jar).start();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.config.ModeRequest;
import dev.cistern.agent.copy.CopyKeeper;
import dev.cistern.agent.report.AgentVersion;
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

  /** Tells who looks from outside that the agent runs here, and which. */
  private static final String PROPERTY = "dev.cistern.agent.version";

  private static volatile @Nullable CopyKeeper running;

  /**
   * Starts the agent; called by reflection.
   *
   * @param arguments the agent arguments, or null
   * @param jar from the name of an entry of the agent's jar to its bytes
   * @return whether it runs now; false where it stands aside
   */
  public static boolean start(
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
      return false;
    }
    for (String complaint : config.complaints()) {
      Log.line(complaint);
    }
    ThreadLocalRandom.current(); // not first inside a transformer: see Discovery.rehearse
    CopyKeeper keeper = new CopyKeeper(config, instrumentation, jar);
    keeper.start();
    running = keeper;
    tellVersion();
    return true;
  }

  private static void tellVersion() {
    try {
      System.setProperty(PROPERTY, AgentVersion.VALUE);
    } catch (SecurityException forbidden) {
      // then the list of JVMs does not show it
    }
  }

  /**
   * Attached once more: a mode that is asked for is set; called by reflection.
   *
   * @param arguments {@code mode}, {@code percent} and {@code copies}, all optional, or null
   */
  public static void again(@Nullable String arguments) {
    CopyKeeper keeper = running;
    if (keeper == null) {
      return;
    }
    try {
      ModeRequest request = ModeRequest.read(arguments);
      if (request == null) {
        Log.line("already attached to this JVM; nothing changes");
      } else {
        keeper.changeSoon(request.mode(), request.copies());
      }
    } catch (BadSettingException refused) {
      Log.line(refused.getMessage() + "; already attached to this JVM, and nothing changes");
    }
  }
}

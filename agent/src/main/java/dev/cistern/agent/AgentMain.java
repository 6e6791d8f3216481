/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.config.ModeRequest;
import dev.cistern.agent.log.Log;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.agent.netty.ModeSource;
import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.agent.netty.NettyCopyManager;
import dev.cistern.agent.report.AgentServices;
import dev.cistern.agent.report.AgentVersion;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts the agent's parts, inside their own class loader. The JVM's main thread runs it. */
public final class AgentMain {
  /** System property that shows the agent's version to other processes. */
  private static final String PROPERTY = "dev.cistern.agent.version";

  private static volatile @Nullable NettyCopyManager running;

  private AgentMain() {}

  /**
   * Starts the agent; called by reflection.
   *
   * @param arguments the agent arguments, or null
   * @param jar returns the bytes of an entry of the agent's jar by its name
   * @return whether the agent runs; false if its settings are invalid
   */
  public static boolean start(
      @Nullable String arguments,
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar) {
    AgentConfig config;
    try {
      config = new ConfigReader().read(arguments);
    } catch (BadSettingException invalid) {
      Log.line(invalid.getMessage() + "; agent disabled; the application keeps its own allocator");
      return false;
    }
    for (String warning : config.warnings()) {
      Log.line(warning);
    }
    ThreadLocalRandom.current(); // must not be loaded inside a transformer: see rehearse()
    List<NettyCopy> copies = new CopyOnWriteArrayList<>();
    AgentServices services = new AgentServices(config, copies, new Detached());
    NettyCopyManager manager =
        new NettyCopyManager(config, instrumentation, jar, copies, services.commands(), services);
    services.control(manager);
    manager.start();
    running = manager;
    publishVersion();
    return true;
  }

  /** Resets this class after the agent has left the JVM. */
  private static final class Detached implements Runnable { // no lambda: the first is slow
    @Override
    public void run() {
      running = null;
      System.clearProperty(PROPERTY);
    }
  }

  private static void publishVersion() {
    try {
      System.setProperty(PROPERTY, AgentVersion.VALUE);
    } catch (SecurityException forbidden) {
      // `cistern list` does not show the agent's version then.
    }
  }

  /**
   * Changes modes when the agent is attached again; called by reflection.
   *
   * @param arguments {@code mode}, {@code percent} and {@code copies}, all optional, or null
   * @return whether the agent runs; false if it was detached
   */
  public static boolean onReattach(@Nullable String arguments) {
    NettyCopyManager manager = running;
    if (manager == null) {
      return false;
    }
    try {
      ModeRequest request = ModeRequest.read(arguments);
      if (request == null) {
        Log.line("already attached to this JVM; nothing changes");
      } else {
        Object unused =
            manager
                .changeSoon(
                    new ModeCommand(request.mode(), request.copies(), ModeSource.ATTACH, true))
                .whenComplete((done, failure) -> logRefusal(failure));
      }
    } catch (BadSettingException invalid) {
      Log.line(invalid.getMessage() + "; already attached to this JVM, and nothing changes");
    }
    return true;
  }

  private static void logRefusal(@Nullable Throwable failure) {
    if (failure != null) {
      Log.line("mode not changed: " + failure.getMessage());
    }
  }
}

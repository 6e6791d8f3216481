/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.boot;

import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent's entry points for the JVM: {@code -javaagent} before the application's main method, or
 * an attach while the application runs.
 *
 * <p>A failure here does not stop the application; it is reported in one line on stderr.
 */
public final class CisternAgent {
  private static final String MAIN = "dev.cistern.agent.AgentMain";

  /**
   * The agent's main class, until it is detached. Guarded by the class. The agent's thread keeps it
   * alive.
   */
  private static WeakReference<Class<?>> started = new WeakReference<>(null);

  private CisternAgent() {}

  /** Called by the JVM for {@code -javaagent}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    enter(arguments, instrumentation);
  }

  /** Called by the JVM for an attach. If the agent runs, the arguments change its mode. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    enter(arguments, instrumentation);
  }

  private static void enter(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      synchronized (CisternAgent.class) {
        Class<?> running = started.get();
        boolean isRunning =
            running != null
                && Boolean.TRUE.equals(
                    running.getMethod("onReattach", String.class).invoke(null, arguments));
        if (!isRunning) {
          started.clear();
          start(arguments, instrumentation);
        }
      }
    } catch (Throwable failure) {
      report(failure);
    }
  }

  /** Starts the agent. If its settings are invalid, it does not start and can be attached again. */
  private static void start(@Nullable String arguments, Instrumentation instrumentation)
      throws Exception {
    AgentLoader loader = AgentLoader.open(ClassLoader.getPlatformClassLoader());
    Class<?> main = Class.forName(MAIN, true, loader);
    Object runs =
        main.getMethod("start", String.class, Instrumentation.class, Function.class)
            .invoke(null, arguments, instrumentation, loader);
    if (Boolean.TRUE.equals(runs)) {
      started = new WeakReference<>(main);
    }
  }

  private static void report(Throwable failure) {
    try {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      System.err.println(
          "cistern: cannot start the agent: "
              + cause
              + "; agent disabled; the application keeps its own allocator");
    } catch (Throwable alsoFailed) {
      // stderr is closed: the application continues
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.boot;

import java.lang.instrument.Instrumentation;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM enters: {@code -javaagent} before the application's main, or an attach while it
 * runs.
 *
 * <p>Whatever happens here, the application starts and runs; a failure is one line on stderr.
 */
public final class CisternAgent {
  private static final String MAIN = "dev.cistern.agent.AgentMain";

  /** The agent proper, once it has started; guarded by the class. */
  private static @Nullable Class<?> started;

  private CisternAgent() {}

  /** Called by the JVM for {@code -javaagent}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    enter(arguments, instrumentation);
  }

  /** Called by the JVM for an attach; also while the agent runs, which it then is to change. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    enter(arguments, instrumentation);
  }

  private static void enter(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      synchronized (CisternAgent.class) {
        Class<?> running = started;
        if (running == null) {
          start(arguments, instrumentation);
        } else {
          Object unused = running.getMethod("again", String.class).invoke(null, arguments);
        }
      }
    } catch (Throwable failure) {
      report(failure);
    }
  }

  /** One that stands aside has not started: it may be attached again with better arguments. */
  private static void start(@Nullable String arguments, Instrumentation instrumentation)
      throws Exception {
    AgentLoader loader = AgentLoader.open(ClassLoader.getPlatformClassLoader());
    Class<?> main = Class.forName(MAIN, true, loader);
    Object runs =
        main.getMethod("start", String.class, Instrumentation.class, Function.class)
            .invoke(null, arguments, instrumentation, loader);
    if (Boolean.TRUE.equals(runs)) {
      started = main;
    }
  }

  private static void report(Throwable failure) {
    try {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      System.err.println(
          "cistern: the agent could not start and stands aside; the application runs on its own"
              + " allocator: "
              + cause);
    } catch (Throwable alsoFailed) {
      // stderr is gone: nothing left to say, and nothing that the application should notice
    }
  }
}

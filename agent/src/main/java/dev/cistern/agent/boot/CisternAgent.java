/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.boot;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private CisternAgent() {}

  /** Called by the JVM for {@code -javaagent}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  /** Called by the JVM for an attach. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  private static void start(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      if (!STARTED.compareAndSet(false, true)) {
        System.err.println("cistern: already attached to this JVM; nothing changes");
        return;
      }
      AgentLoader loader = AgentLoader.open();
      Class.forName(MAIN, true, loader)
          .getMethod("start", String.class, Instrumentation.class, Function.class)
          .invoke(null, arguments, instrumentation, loader);
    } catch (Throwable failure) {
      report(failure);
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

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.boot;

import java.lang.reflect.InvocationTargetException;

/** Entry of {@code java -jar cistern-agent.jar}: the command line, in its own class loader. */
public final class CisternCommand {
  private static final String MAIN = "dev.cistern.agent.command.Commands";

  private CisternCommand() {}

  /**
   * Runs a command. The exit status is 0 if it succeeded, 1 if it failed, and 2 if it is invalid or
   * needs another Java.
   */
  public static void main(String[] arguments) throws Exception {
    try {
      Object status =
          Class.forName(MAIN, true, AgentLoader.open(ClassLoader.getSystemClassLoader()))
              .getMethod("run", String[].class)
              .invoke(null, (Object) arguments);
      System.exit((Integer) status);
    } catch (InvocationTargetException failed) {
      System.err.println("cistern: " + failed.getCause());
      System.exit(1);
    }
  }
}

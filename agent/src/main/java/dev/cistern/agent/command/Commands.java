/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.util.Arrays;
import java.util.List;

/** Chooses the command. */
public final class Commands {
  /** The command succeeded. */
  static final int DONE = 0;

  /** The command failed. */
  static final int FAILED = 1;

  /** The command line is invalid, or this Java runtime lacks a module. */
  static final int REFUSED = 2;

  private static final String ATTACH_MODULE = "jdk.attach";

  private Commands() {}

  /**
   * Runs a command. Prints its result to standard output and an error to standard error.
   *
   * @return the exit status: 0 done, 1 failed, 2 invalid command line or missing module
   */
  public static int run(String[] arguments) {
    List<String> words = Arrays.asList(arguments);
    if (words.isEmpty()) {
      System.err.println(Usage.ALL);
      return REFUSED;
    }
    String command = words.get(0);
    if (words.contains("--help") || words.contains("-h") || command.equals("help")) {
      System.out.println(Usage.of(command));
      return DONE;
    }
    if (!Usage.isCommand(command)) {
      return refuse("unknown command: '" + command + "' (expected: attach, list or mode)");
    }
    if (ModuleLayer.boot().findModule(ATTACH_MODULE).isEmpty()) {
      return refuse(
          "cannot attach: "
              + System.getProperty("java.home")
              + " has no module "
              + ATTACH_MODULE
              + "; set JAVA_HOME to a JDK, or start the application with -javaagent");
    }
    try {
      return run(command, words.subList(1, words.size()));
    } catch (UsageException wrong) {
      return refuse(command + ": " + wrong.getMessage());
    } catch (HostException failed) {
      System.err.println("cistern: " + failed.getMessage());
      return FAILED;
    }
  }

  private static int run(String command, List<String> words) throws UsageException, HostException {
    return switch (command) {
      case "attach" -> AttachCommand.run(words);
      case "mode" -> ModeCommand.run(words);
      default -> ListCommand.run(words);
    };
  }

  private static int refuse(String reason) {
    System.err.println("cistern: " + reason);
    return REFUSED;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

/** What the commands are called and take. */
final class Usage {
  static final String ATTACH =
      """
      usage: cistern attach <pid> [key=value]...

      Loads the agent into a JVM that runs, with the settings of docs/configuration.md:
        cistern attach 4711 mode=observe listen=127.0.0.1:9471
      On JDK 21 and newer that JVM prints the JDK's warning about dynamically loaded agents, unless it
      was started with -XX:+EnableDynamicAgentLoading. In a JVM that has the agent already, only
      mode=..., percent=... and copies=... have an effect.
        --help     this text""";

  static final String LIST =
      """
      usage: cistern list

      Shows the JVMs of this user that can be attached to: process id, the agent's version where it is
      in there, and the main class.
        --help     this text""";

  static final String MODE =
      """
      usage: cistern mode <pid> [swap|observe|off] [--percent N] [--copies PATTERN]

      Shows each copy of Netty in a JVM that has the agent, after setting the mode where one is given:
        swap       our pool serves; buffers that are out when it ends stay valid
        observe    Netty's own allocator serves, and is watched
        off        Netty's own allocator serves, and gets its own code back once ours is unused
        --percent  in mode swap, how many of a hundred allocations our pool serves (100)
        --copies   only copies like this: io.netty, io.grpc.*, *@app (package prefix @ loader); without
                   it, all that the settings do not exclude
        --help     this text""";

  static final String ALL = ATTACH + "\n\n" + LIST + "\n\n" + MODE;

  private Usage() {}

  static boolean isCommand(String word) {
    return word.equals("attach") || word.equals("list") || word.equals("mode");
  }

  static String of(String command) {
    return switch (command) {
      case "attach" -> ATTACH;
      case "list" -> LIST;
      case "mode" -> MODE;
      default -> ALL;
    };
  }
}

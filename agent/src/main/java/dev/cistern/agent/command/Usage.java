/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

/** Help texts of the commands. */
final class Usage {
  static final String ATTACH =
      """
      usage: cistern attach <pid> [key=value]...

      Loads the agent into a running JVM. docs/configuration.md lists the settings:
        cistern attach 4711 mode=observe listen=127.0.0.1:9471
      A JVM of JDK 21 or newer prints the JDK's warning about dynamically loaded agents, unless it was
      started with -XX:+EnableDynamicAgentLoading. If the JVM already has the agent, only mode=...,
      percent=... and copies=... have an effect.
        --help     show this text""";

  static final String LIST =
      """
      usage: cistern list

      Lists the JVMs of this user that accept an agent: process ID, version of the agent if it is
      loaded, and main class.
        --help     show this text""";

  static final String MODE =
      """
      usage: cistern mode <pid> [swap|observe|off] [--percent N] [--copies PATTERN]

      Sets the mode of the Netty copies in a JVM that has the agent, if a mode is given, and lists the
      copies:
        swap       allocate from Cistern's pool; a later mode leaves its buffers valid
        observe    allocate from Netty's own allocator and watch it
        off        allocate from Netty's own allocator; restore its code once our buffers are released
        --percent  share of allocations that the pool serves in mode swap, 1 to 100 (100)
        --copies   pattern of the copies to set, package prefix @ class loader, such as io.netty,
                   io.grpc.* or *@app (all copies that the settings do not exclude)
        --help     show this text""";

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

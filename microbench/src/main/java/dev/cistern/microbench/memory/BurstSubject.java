/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The hosts whose resident memory is compared after bursts, each in a separate JVM. */
enum BurstSubject {
  /** Netty 4.1, pooled by default. */
  NETTY_41("Netty 4.1", "netty", "4.1", Double.NaN),
  /** Netty 4.2, adaptive by default. */
  NETTY_42("Netty 4.2", "netty", "4.2", Double.NaN),
  /** The same with Cistern's agent. */
  AGENT_41("Netty 4.1, agent", "bridged", "4.1", 24),
  /** The same with Cistern's agent. */
  AGENT_42("Netty 4.2, agent", "bridged", "4.2", 24),
  /** Cistern's library without any flag. */
  LIBRARY("Cistern", "library", "", 64),
  /** Cistern's library with the flag that lets it use the JDK's own system calls. */
  LIBRARY_OPENED("Cistern, --add-opens", "library", "", 24);

  /** The arguments of every host: a small Java heap, and a direct memory limit above the burst. */
  static final List<String> JVM_ARGUMENTS = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=1g");

  private static final String AGENT = "-javaagent:agent/target/cistern-agent.jar=listen=none";
  private static final String ADD_OPENS = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";
  private static final String MODULE_CLASSES = "microbench/target/classes";

  private final String title;
  private final String host;
  private final String netty;
  private final double mostGrowthMib;

  BurstSubject(String title, String host, String netty, double mostGrowthMib) {
    this.title = title;
    this.host = host;
    this.netty = netty;
    this.mostGrowthMib = mostGrowthMib;
  }

  String title() {
    return title;
  }

  /**
   * Returns the allowed growth of the resident set from the start to the end of a burst, in MiB;
   * NaN if the host does not use Cistern.
   */
  double mostGrowthMib() {
    return mostGrowthMib;
  }

  /** Returns the arguments of the JVM, in addition to the common ones. */
  List<String> jvmArguments() {
    return switch (this) {
      case AGENT_41, AGENT_42 -> List.of(AGENT);
      case LIBRARY_OPENED -> List.of(ADD_OPENS);
      default -> List.of();
    };
  }

  /** Returns the command of a host on this JDK; paths are relative to the project's root. */
  List<String> command(Path home) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("java").toString());
    command.addAll(JVM_ARGUMENTS);
    command.addAll(jvmArguments());
    command.add("-cp");
    // The module's own jar contains all of Netty 4.2.
    command.add(
        netty.isEmpty()
            ? System.getProperty("java.class.path", "")
            : MODULE_CLASSES + ":examples/demo/target/netty-" + netty + "/*");
    command.addAll(List.of(BurstHost.class.getName(), host));
    return command;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ModeRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code attach}: loads the agent into a running JVM. */
@Command(
    name = "attach",
    header = "Loads the agent into a running JVM.",
    description = {
      "A JVM of JDK 21 or newer prints the JDK's warning about dynamically loaded agents, unless it"
          + " was started with -XX:+EnableDynamicAgentLoading.",
      "If the JVM already has the agent, only mode=..., percent=... and copies=... have an effect.",
      "A JVM of another user or in a container needs root; it gets a copy of the jar in its /tmp."
    })
final class AttachCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "<pid>", description = Commands.PID)
  private long pid;

  @Parameters(
      index = "1..*",
      paramLabel = "key=value",
      description = "Settings (docs/configuration.md), such as mode=observe listen=127.0.0.1:9471.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Override
  public Integer call() throws BadSettingException, HostException {
    Commands.checkAttach();
    String arguments =
        settings.entrySet().stream().map(Object::toString).collect(Collectors.joining(","));
    try (TargetJvm target = TargetJvm.open(pid)) {
      String before = target.agentVersion();
      boolean isRequest = before != null && ModeRequest.read(arguments) != null;
      target.load(arguments);
      if (target.agentVersion() == null) {
        throw new HostException(
            "agent disabled in process " + pid + ": see the standard error of that process");
      }
      String result =
          before == null
              ? "attached to process " + pid
              : "process "
                  + pid
                  + " already has agent "
                  + Commands.plain(before)
                  + (isRequest ? ", which changes the mode" : "; nothing changes");
      System.out.println(result + "; run 'cistern mode " + pid + "' for its Netty copies");
      return Commands.DONE;
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ModeRequest;
import dev.cistern.agent.report.AgentControl;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code mode}: shows and sets the mode of each Netty copy in a JVM. */
@Command(
    name = "mode",
    header = "Shows or sets the mode of each Netty copy in a JVM that has the agent.")
final class ModeCommand implements Callable<Integer> {
  /** How a request reaches the JVM. */
  enum Way {
    jmx,
    file
  }

  @Parameters(index = "0", paramLabel = "<pid>", description = Commands.PID)
  private long pid;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "mode",
      description = {
        "swap: allocate from Cistern's pool; a later mode leaves its buffers valid.",
        "observe: allocate from Netty's own allocator and watch it.",
        "off: allocate from Netty's own allocator; restore its code once our buffers are released."
      })
  private @Nullable String mode;

  @Option(
      names = "--percent",
      paramLabel = "N",
      description = "Share of allocations that the pool serves in mode swap, 1 to 100 (100).")
  private @Nullable String percent;

  @Option(
      names = "--copies",
      paramLabel = "PATTERN",
      description =
          "Pattern of the copies to set, package prefix @ class loader, such as io.netty, io.grpc.* or"
              + " *@app (all copies that the settings do not exclude).")
  private @Nullable String copies;

  @Option(
      names = "--by",
      paramLabel = "jmx|file",
      description =
          "jmx attaches to the JVM; file writes the control file beside its stats file (jmx, or file if"
              + " the JVM cannot be attached to).")
  private @Nullable Way way;

  @Mixin private StatsFiles files = new StatsFiles();

  @Override
  public Integer call() throws BadSettingException, HostException {
    ModeRequest request = request();
    if (way != Way.file) {
      try {
        return byJmx(pid, request);
      } catch (HostException.Unreachable unreachable) {
        boolean hasFile = files.agents().all().stream().anyMatch(agent -> agent.pid() == pid);
        if (way != null || !hasFile) {
          throw unreachable;
        }
        System.err.println(
            "cistern: "
                + Commands.plain(String.valueOf(unreachable.getMessage()))
                + "; using its files");
      }
    }
    AgentProcess agent = files.agent(pid);
    System.out.print(
        HostText.modes(request == null ? agent.report() : ModeByFile.send(agent, request)));
    return Commands.DONE;
  }

  private static int byJmx(long pid, @Nullable ModeRequest request) throws HostException {
    Commands.checkAttach();
    try (TargetJvm target = TargetJvm.openWithAgent(pid);
        RemoteAgent agent = RemoteAgent.connect(target)) {
      String response = agent == null ? sendWithoutJmx(target, request) : agent.send(request);
      System.out.println(response);
      return response.lines().anyMatch(line -> line.startsWith(AgentControl.NOT_CHANGED))
          ? Commands.FAILED
          : Commands.DONE;
    }
  }

  /** Sends a request to an idle agent by loading the agent again. */
  private static String sendWithoutJmx(TargetJvm target, @Nullable ModeRequest request)
      throws HostException {
    if (request == null) {
      return "the agent is loaded but not registered with JMX: probably no Netty was found yet";
    }
    target.load(ModeByFile.line(request));
    return "mode requested without JMX and without an answer: probably no Netty was found yet";
  }

  /** Returns the request, checked before it reaches the other JVM, or null for no change. */
  private @Nullable ModeRequest request() throws BadSettingException {
    if (mode == null && (percent != null || copies != null)) {
      throw new BadSettingException("mode", "missing", "swap, observe or off");
    }
    return mode == null ? null : ModeRequest.of(mode, percent, copies);
  }
}

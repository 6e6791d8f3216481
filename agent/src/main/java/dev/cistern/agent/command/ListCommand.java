/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code list}: shows the JVMs of this machine without attaching to them. */
@Command(
    name = "list",
    header = "Lists the JVMs of this machine, also those in containers, without attaching to them.",
    description = {
      "Shows process ID, version of the agent, modes of the Netty copies, user, place, application or"
          + " main class.",
      "  -   no stats file: no agent, no Netty yet, or statsDirectory=none",
      "  ?   unknown because permission is missing; the last lines say which user has it"
    })
final class ListCommand implements Callable<Integer> {
  private static final String UNKNOWN = "?";

  @Mixin private StatsFiles files = new StatsFiles();

  @Override
  public Integer call() {
    AgentProcesses found = files.agents();
    Map<String, String> mains = Commands.canAttach() ? TargetJvm.mains() : Map.of();
    List<String> rows = new ArrayList<>();
    Set<Long> listed = new HashSet<>(Set.of(ProcessHandle.current().pid()));
    for (AgentProcess agent : found.all()) {
      listed.add(agent.pid());
      rows.add(row(agent));
    }
    for (LocalProcess jvm : found.jvms()) {
      String main = mains.getOrDefault(String.valueOf(jvm.pid()), UNKNOWN);
      if (listed.add(jvm.pid())) {
        String agent = jvm.openFiles() == null ? UNKNOWN : "-";
        rows.add(row(jvm.pid(), agent, "-", jvm.user(), place(jvm), main));
      }
    }
    if (found.jvms().isEmpty()) {
      mains.forEach(
          (pid, main) -> {
            if (listed.add(Long.valueOf(pid))) {
              rows.add(row(pid, "-", "-", "-", "-", main));
            }
          });
    }
    System.out.println(row("PID", "AGENT", "MODE", "USER", "WHERE", "MAIN"));
    rows.stream().sorted().forEach(System.out::println);
    found.notes().forEach(note -> System.err.println("cistern: " + TextFormat.plain(note)));
    return Commands.DONE;
  }

  private static String row(AgentProcess agent) {
    LocalProcess process = agent.process();
    return row(
        agent.pid(),
        TextFormat.plain(agent.identity().version()),
        modes(agent),
        process == null ? UNKNOWN : process.user(),
        process == null ? UNKNOWN : place(process),
        agent.application());
  }

  private static String modes(AgentProcess agent) {
    try {
      return TextFormat.plain(
          agent.report().copies().stream()
              .map(CopyView::mode)
              .distinct()
              .collect(Collectors.joining(",")));
    } catch (HostException unreadable) {
      return UNKNOWN;
    }
  }

  private static String place(LocalProcess process) {
    return process.isInContainer() || process.innerPid() != process.pid() ? "container" : "host";
  }

  private static String row(
      long pid, String agent, String mode, String user, String place, String main) {
    return row(pid == 0 ? UNKNOWN : String.valueOf(pid), agent, mode, user, place, main);
  }

  private static String row(
      String pid, String agent, String mode, String user, String place, String main) {
    return String.format(
        Locale.ROOT,
        "%-8s %-16s %-12s %-10s %-10s %s",
        pid,
        agent,
        mode,
        user,
        place,
        TextFormat.plain(main));
  }
}

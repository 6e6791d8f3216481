/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.util.List;
import java.util.Locale;

/** The command {@code list}: shows the JVMs that can be attached to. */
final class ListCommand {
  /** Limits the wait for a stopped JVM, which does not answer. */
  private static final String PATIENCE_MILLIS = "2000";

  private ListCommand() {}

  static int run(List<String> words) throws UsageException {
    if (!words.isEmpty()) {
      throw new UsageException("unknown option: '" + words.get(0) + "' (expected: none)");
    }
    System.setProperty("sun.tools.attach.attachTimeout", PATIENCE_MILLIS);
    String own = String.valueOf(ProcessHandle.current().pid());
    System.out.println(line("PID", "AGENT", "MAIN"));
    for (VirtualMachineDescriptor descriptor : VirtualMachine.list()) {
      if (!descriptor.id().equals(own)) {
        System.out.println(line(descriptor.id(), agent(descriptor), main(descriptor)));
      }
    }
    return Commands.DONE;
  }

  private static String line(String pid, String agent, String main) {
    return String.format(Locale.ROOT, "%-8s %-18s %s", pid, agent, main);
  }

  private static String agent(VirtualMachineDescriptor descriptor) {
    try (Target target = Target.open(descriptor.id())) {
      String version = target.agentVersion();
      return version == null ? "-" : version;
    } catch (HostException refused) {
      return "no answer";
    }
  }

  /** The main class or jar without its arguments, which may hold secrets. */
  private static String main(VirtualMachineDescriptor descriptor) {
    String name = descriptor.displayName();
    int space = name.indexOf(' ');
    return space < 0 ? name : name.substring(0, space);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Another JVM, attached to. */
final class Target implements AutoCloseable {
  private static final String AGENT_VERSION = "dev.cistern.agent.version";

  /** The signals that a process handles, in its status: a bit for each, from 1 on. */
  private static final String CAUGHT = "SigCgt:";

  private static final long SIGQUIT = 1L << 2;

  private final String pid;
  private final VirtualMachine machine;

  private Target(String pid, VirtualMachine machine) {
    this.pid = pid;
    this.machine = machine;
  }

  /** Checks that a word is a process id. */
  static String pid(String word) throws UsageException {
    boolean isNumber = !word.isEmpty() && word.length() <= 10;
    for (int i = 0; i < word.length(); i++) {
      isNumber &= word.charAt(i) >= '0' && word.charAt(i) <= '9';
    }
    if (!isNumber) {
      throw new UsageException("invalid process ID: '" + word + "'; run 'cistern list'");
    }
    return word;
  }

  static Target open(String pid) throws HostException {
    if (pid.equals(String.valueOf(ProcessHandle.current().pid()))) {
      throw new HostException("process " + pid + " is this command itself");
    }
    if (!isJvm(pid)) {
      throw new HostException("process " + pid + " is not a JVM of this user; run 'cistern list'");
    }
    if (isEndedByQuit(pid)) {
      throw new HostException(
          "process "
              + pid
              + " does not handle SIGQUIT, which attaching needs: it is still starting, or was started"
              + " with -Xrs");
    }
    try {
      return new Target(pid, VirtualMachine.attach(pid));
    } catch (AttachNotSupportedException | IOException | RuntimeException refused) {
      throw new HostException("cannot attach to process " + pid, refused);
    }
  }

  /** Attaching sends SIGQUIT, which ends a process that is not a JVM. */
  private static boolean isJvm(String pid) {
    for (VirtualMachineDescriptor descriptor : VirtualMachine.list()) {
      if (descriptor.id().equals(pid)) {
        return true;
      }
    }
    // one that hides from the list, as with -XX:-UsePerfData, has the JVM's library mapped
    try (Stream<String> maps = Files.lines(Path.of("/proc", pid, "maps"))) {
      return maps.anyMatch(line -> line.endsWith("/libjvm.so"));
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }

  /** Whether the signal would be the end of a JVM, as far as Linux tells. */
  private static boolean isEndedByQuit(String pid) {
    try (Stream<String> status = Files.lines(Path.of("/proc", pid, "status"))) {
      return status
          .filter(line -> line.startsWith(CAUGHT))
          .map(line -> line.substring(CAUGHT.length()).trim())
          .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & SIGQUIT) == 0);
    } catch (IOException | UncheckedIOException | NumberFormatException unreadable) {
      return false;
    }
  }

  /** The version of the agent that is in there, or null. */
  @Nullable String agentVersion() throws HostException {
    try {
      Properties properties = machine.getSystemProperties();
      return properties.getProperty(AGENT_VERSION);
    } catch (IOException failed) {
      throw new HostException("cannot read the system properties of process " + pid, failed);
    }
  }

  /** Loads this jar as an agent. */
  void load(String arguments) throws HostException {
    try {
      machine.loadAgent(jar().toString(), arguments);
    } catch (AgentLoadException | IOException failed) {
      throw new HostException(
          "cannot load "
              + jar()
              + " into process "
              + pid
              + " (the path must be readable there, and -XX:-EnableDynamicAgentLoading must not be set)",
          failed);
    } catch (AgentInitializationException failed) {
      throw new HostException("cannot start the agent in process " + pid, failed);
    }
  }

  /** Has the JVM open JMX for this machine's user only; how it is reached. */
  String openManagement() throws HostException {
    try {
      return machine.startLocalManagementAgent();
    } catch (IOException | RuntimeException failed) {
      throw new HostException("cannot open JMX in process " + pid, failed);
    }
  }

  private static Path jar() throws HostException {
    try {
      return Path.of(Target.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toRealPath();
    } catch (URISyntaxException | IOException unknown) {
      throw new HostException("cannot find the agent's jar", unknown);
    }
  }

  @Override
  public void close() {
    try {
      machine.detach();
    } catch (IOException gone) {
      // what was asked for has been answered
    }
  }
}

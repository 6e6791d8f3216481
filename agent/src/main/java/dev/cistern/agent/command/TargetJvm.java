/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attached JVM. Needs the module jdk.attach, as {@link Commands#canAttach} says. */
final class TargetJvm implements AutoCloseable {
  private static final String AGENT_VERSION = "dev.cistern.agent.version";

  /** Line of /proc/PID/status with the handled signals: bit n-1 for signal n. */
  private static final String CAUGHT = "SigCgt:";

  private static final String TEMPORARY = "/tmp/";

  private static final long SIGQUIT = 1L << 2;

  private final String pid;
  private final @Nullable LocalProcess process;
  private final VirtualMachine machine;

  private TargetJvm(String pid, @Nullable LocalProcess process, VirtualMachine machine) {
    this.pid = pid;
    this.process = process;
    this.machine = machine;
  }

  /** Returns the main class or jar of each JVM that can be attached to, by process ID. */
  static Map<String, String> mains() {
    Map<String, String> mains = new HashMap<>();
    for (VirtualMachineDescriptor jvm : VirtualMachine.list()) {
      mains.put(jvm.id(), jvm.displayName().split(" ", 2)[0]); // arguments may hold secrets
    }
    return mains;
  }

  /** Attaches to a JVM that has the agent. */
  static TargetJvm openWithAgent(long pid) throws HostException {
    TargetJvm target = open(pid);
    if (target.agentVersion() == null) {
      target.close();
      throw new HostException(
          "process " + pid + " does not have the agent; run 'cistern attach " + pid + "'");
    }
    return target;
  }

  static TargetJvm open(long number) throws HostException {
    String pid = String.valueOf(number);
    if (number == ProcessHandle.current().pid()) {
      throw new HostException("process " + pid + " is this command itself");
    }
    LocalProcess process = LocalProcess.read(LocalProcess.PROC.resolve(pid));
    if (process != null && process.isOfOtherUser() && process.openFiles() == null) {
      throw new HostException.Unreachable(
          "cannot attach to process "
              + pid
              + ": permission denied; run as root or as user "
              + process.user());
    }
    if (!isJvm(pid, process)) {
      throw new HostException.Unreachable(
          "process " + pid + " is not a JVM that accepts agents; run 'cistern list'");
    }
    if (isEndedByQuit(process)) {
      throw new HostException.Unreachable(
          "process "
              + pid
              + " does not handle SIGQUIT, which attaching needs: it is still starting, or was started"
              + " with -Xrs");
    }
    try {
      return new TargetJvm(pid, process, VirtualMachine.attach(pid));
    } catch (AttachNotSupportedException | IOException | RuntimeException refused) {
      throw new HostException.Unreachable("cannot attach to process " + pid, refused);
    }
  }

  /**
   * Returns whether the process is a JVM. Attaching sends SIGQUIT, which would end another process.
   * The list of JVMs lacks those with -XX:-UsePerfData.
   */
  private static boolean isJvm(String pid, @Nullable LocalProcess process) {
    return (process != null && process.hasJvm()) || mains().containsKey(pid);
  }

  /** Returns whether SIGQUIT would end this JVM; false on systems other than Linux. */
  private static boolean isEndedByQuit(@Nullable LocalProcess process) {
    return process != null
        && process
            .text("status")
            .lines()
            .anyMatch(line -> line.startsWith(CAUGHT) && !isCaught(line));
  }

  private static boolean isCaught(String line) {
    return (Long.parseUnsignedLong(line.substring(CAUGHT.length()).trim(), 16) & SIGQUIT) != 0;
  }

  /** Returns the version of the agent in this JVM, or null. */
  @Nullable String agentVersion() throws HostException {
    try {
      return machine.getSystemProperties().getProperty(AGENT_VERSION);
    } catch (IOException failed) {
      throw new HostException("cannot read the system properties of process " + pid, failed);
    }
  }

  /** Loads this jar as an agent, or a copy if the JVM may be unable to read it. */
  void load(String arguments) throws HostException {
    LocalProcess target = process;
    boolean isFar = target != null && (target.isInContainer() || target.isOfOtherUser());
    Path copy = target != null && isFar ? copyTo(target) : null;
    boolean isNeeded = agentVersion() == null;
    String path = copy == null ? jar().toString() : TEMPORARY + copy.getFileName();
    try {
      machine.loadAgent(path, arguments);
      isNeeded &= agentVersion() != null;
    } catch (AgentLoadException | IOException failed) {
      isNeeded = false;
      throw new HostException(
          "cannot load "
              + path
              + " into process "
              + pid
              + " (the path must be readable there, and -XX:-EnableDynamicAgentLoading must not be set)",
          failed);
    } catch (AgentInitializationException failed) {
      isNeeded = false;
      throw new HostException("cannot start the agent in process " + pid, failed);
    } finally {
      if (copy != null && !isNeeded) {
        delete(copy);
      }
    }
  }

  /**
   * Returns a copy of the jar. It is not deleted, because the agent opens its jar again when it is
   * attached after a detachment.
   */
  private static Path copyTo(LocalProcess process) throws HostException {
    Path directory = process.inRoot(TEMPORARY);
    try (ForeignDirectory foreign = ForeignDirectory.open(directory)) {
      byte[] content = Files.readAllBytes(jar());
      return directory.resolve(foreign.create("cistern-agent", ".jar", content, null, false));
    } catch (IOException failed) {
      throw new HostException("cannot copy the agent to " + directory, failed);
    }
  }

  private static void delete(Path copy) {
    try {
      Files.delete(copy);
    } catch (IOException failed) {
      // it stays in the directory of temporary files
    }
  }

  /** Opens JMX for this user only, and returns its address, or null if the JVM has no JMX. */
  @Nullable String openManagement() {
    try {
      return machine.startLocalManagementAgent();
    } catch (IOException | RuntimeException withoutJmx) {
      return null;
    }
  }

  private static Path jar() throws HostException {
    try {
      return Path.of(TargetJvm.class.getProtectionDomain().getCodeSource().getLocation().toURI())
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
      // ignored: the request has its response
    }
  }
}

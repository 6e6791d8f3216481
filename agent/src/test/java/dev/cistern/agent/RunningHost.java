/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** A running host that reads orders from its stdin and answers requests by JMX. */
final class RunningHost implements AutoCloseable {
  private static final ObjectName AGENT = name("dev.cistern:type=Agent");
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path errors;
  private final BufferedReader out;
  private @Nullable JMXConnector connector;

  RunningHost(Process process, Path errors) throws IOException {
    this.process = process;
    this.errors = errors;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    expect("ready");
  }

  private static ObjectName name(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException impossible) {
      throw new AssertionError(impossible);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Loads the agent. */
  void attach(String agentArguments) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(process.pid()));
    machine.loadAgent(HostJvm.AGENT.toString(), agentArguments);
    machine.detach();
  }

  /**
   * Returns the classes of Netty whose code calls a hook of Cistern, as another agent in that JVM
   * sees it. A transformer that is added later gets the result of the earlier ones.
   */
  List<String> wovenClasses(Path folder) throws Exception {
    Path jar = folder.resolve("prober.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Agent-Class", "example.host.Prober");
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    Path found = folder.resolve("woven.txt");
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(process.pid()));
    machine.loadAgent(jar.toString(), found.toString());
    machine.detach();
    return Files.readAllLines(found, StandardCharsets.UTF_8);
  }

  /** Kills the process by SIGKILL, which it cannot handle. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Lets the host allocate memory until the JVM or the system ends it. */
  void fillHeapUntilItEnds() throws IOException, InterruptedException {
    process.outputWriter(StandardCharsets.UTF_8).append("h\n").flush();
    awaitEnd();
  }

  /** Ends the process by SIGTERM. */
  void terminate() throws IOException, InterruptedException {
    process.destroy();
    awaitEnd();
  }

  private void awaitEnd() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the host does not end: " + errors());
    }
  }

  /** Returns the names of its native threads, of which the system keeps 15 letters. */
  String threads() throws IOException {
    StringBuilder names = new StringBuilder();
    try (DirectoryStream<Path> tasks =
        Files.newDirectoryStream(Path.of("/proc", String.valueOf(process.pid()), "task"))) {
      for (Path task : tasks) {
        try {
          names.append(Files.readString(task.resolve("comm")));
        } catch (IOException ended) {
          // the thread has ended meanwhile
        }
      }
    }
    return names.toString();
  }

  /** Returns a field of its memory status in KiB, such as {@code VmRSS}. */
  long statusKib(String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(pid()), "status"))) {
      if (line.startsWith(field + ':')) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError("the host has no " + field + ": " + errors());
  }

  /** Sends an order and returns the response of the host. */
  String order(String order) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(order).append('\n').flush();
    return expect(order);
  }

  private String expect(String start) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(start)) {
        return line.substring(start.length()).trim();
      }
    }
    throw new AssertionError("the host has ended before it printed " + start + ": " + errors());
  }

  List<String> errors() throws IOException {
    return Files.readAllLines(errors, StandardCharsets.UTF_8);
  }

  /** Sets a mode and returns the inventory after it. */
  String mode(String mode, int percent, String copies) throws Exception {
    return String.valueOf(
        agent()
            .invoke(
                AGENT,
                "changeMode",
                new Object[] {mode, percent, copies},
                new String[] {"java.lang.String", "int", "java.lang.String"}));
  }

  /** Sets a mode; does nothing while the agent is not attached. */
  void modeIfAttached(String mode) throws Exception {
    try {
      String unused = mode(mode, 100, "*");
    } catch (InstanceNotFoundException detached) {
      // the agent has left
    }
  }

  /** Requests a detachment again and again. Returns the number of requests. */
  int detachUntil(long endNanos) throws Exception {
    int count = 0;
    for (; System.nanoTime() < endNanos; count++) {
      try {
        Object unused = agent().invoke(AGENT, "detach", new Object[0], new String[0]);
      } catch (InstanceNotFoundException detached) {
        // it has left before
      } catch (RuntimeMBeanException e) {
        // a mode command of another thread ended the attempt
        if (!String.valueOf(e.getCause().getMessage()).startsWith("a command has set a mode")) {
          throw e;
        }
      }
    }
    return count;
  }

  /** Replaces a control file atomically, as an editor does, so that no reader sees a part of it. */
  static void write(Path control, String commands) throws IOException {
    write(control, commands, "rw-r--r--");
  }

  static void write(Path control, String commands, String permissions) throws IOException {
    Path whole = control.resolveSibling(control.getFileName() + ".new");
    Files.writeString(whole, commands);
    Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString(permissions));
    Files.move(whole, control, StandardCopyOption.ATOMIC_MOVE);
  }

  String inventory() throws Exception {
    return String.valueOf(agent().invoke(AGENT, "inventory", new Object[0], new String[0]));
  }

  Object attribute(String attribute) throws Exception {
    return agent().getAttribute(AGENT, attribute);
  }

  /** Returns the names of Cistern's registered beans. */
  Set<String> beans() throws Exception {
    Set<String> names = new TreeSet<>();
    for (ObjectName name : agent().queryNames(name("dev.cistern:*"), null)) {
      names.add(name.getCanonicalName());
    }
    return names;
  }

  /** Returns the classes of live objects, after a garbage collection. */
  String liveClasses() throws Exception {
    return (String)
        agent()
            .invoke(
                name("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
  }

  /**
   * Returns attributes, read together, of a pool of the only copy of Netty. The agent registers its
   * own bean first.
   */
  Map<String, Object> pool(String memory, String... attributes) throws Exception {
    ObjectName pool = name("dev.cistern:type=Pool,copy=io.netty,memory=" + memory);
    MBeanServerConnection server = agent();
    await()
        .pollDelay(Duration.ZERO)
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .until(() -> server.isRegistered(pool));
    Map<String, Object> values = new HashMap<>();
    for (Attribute attribute : server.getAttributes(pool, attributes).asList()) {
      values.put(attribute.getName(), attribute.getValue());
    }
    return values;
  }

  /** Returns the JMX connection once the agent is registered. */
  @SuppressWarnings("BanJNDI") // the address is the one that this machine's own JVM has given
  MBeanServerConnection agent() throws Exception {
    JMXConnector known = connector;
    if (known == null) {
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(process.pid()));
      String address = machine.startLocalManagementAgent();
      machine.detach();
      known = JMXConnectorFactory.connect(new JMXServiceURL(address));
      connector = known;
      MBeanServerConnection server = known.getMBeanServerConnection();
      await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> server.isRegistered(AGENT));
    }
    return known.getMBeanServerConnection();
  }

  /** Ends the host by an order and returns its exit status. */
  int exit() throws Exception {
    process.outputWriter(StandardCharsets.UTF_8).append("exit\n").flush();
    awaitEnd();
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    JMXConnector known = connector;
    if (known != null) {
      try {
        known.close();
      } catch (IOException gone) {
        // the host has ended
      }
    }
    process.destroyForcibly();
    Files.deleteIfExists(errors);
  }
}

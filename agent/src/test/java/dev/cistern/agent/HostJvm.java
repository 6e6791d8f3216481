/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.cistern.agent.weave.NettyJars;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.testing.TestLength;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A host application in its own JVM, and its output. */
final class HostJvm {
  static final Path AGENT = Path.of("target", "cistern-agent.jar").toAbsolutePath();

  private static final long PATIENCE_SECONDS = 120;
  private static final String HOST_HOME = System.getProperty("cistern.test.hostHome", "");
  private static final String JDK_25 = System.getProperty("jdk25.home", "");

  private String home = homes().findFirst().orElseThrow();
  private String main = "example.host.Host";
  private String awaited = "";
  private final List<String> starter = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final List<Path> classPath = new ArrayList<>();
  private final List<String> attachments = new ArrayList<>();

  /** The exit status and the output of a run. */
  record Result(int exit, List<String> out, List<String> err) {
    /** Returns the class names that the host printed. */
    List<String> classes() {
      return out.stream()
          .filter(line -> line.startsWith("class "))
          .filter(line -> !line.startsWith("class used"))
          .map(line -> line.substring("class ".length()))
          .collect(Collectors.toList());
    }

    /** Returns the output of the host without the class names. */
    List<String> behaviour() {
      return out.stream().filter(line -> !line.startsWith("class ")).collect(Collectors.toList());
    }

    /** Returns the agent's lines. */
    List<String> agentLines() {
      return err.stream().filter(line -> line.startsWith("cistern: ")).collect(Collectors.toList());
    }

    long usedDirectMemory() {
      return out.stream()
          .filter(line -> line.startsWith("class used "))
          .mapToLong(line -> Long.parseLong(line.substring("class used ".length())))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Returns a host on a line of Netty, {@code 4.1} or {@code 4.2}. */
  static HostJvm netty(String line) {
    return netty(NettyJars.of(line));
  }

  /** Returns a host that also has Netty's transport and codecs. */
  static HostJvm nettyWithTransport(String line) {
    return netty(NettyJars.withTransport(line));
  }

  private static HostJvm netty(Path... jars) {
    HostJvm host = new HostJvm();
    host.classPath.add(Path.of("target", "test-classes").toAbsolutePath());
    host.classPath.addAll(Arrays.asList(jars));
    return host;
  }

  static HostJvm onClassPath(String main, Path... entries) {
    HostJvm host = new HostJvm();
    host.main = main;
    host.classPath.addAll(Arrays.asList(entries));
    return host;
  }

  HostJvm jdk(String javaHome) {
    home = javaHome;
    return this;
  }

  HostJvm agent(String agentArguments) {
    return option("-javaagent:" + AGENT + (agentArguments.isEmpty() ? "" : "=" + agentArguments));
  }

  /** Loads the agent into the JVM after its start. May be called more than once. */
  HostJvm attach(String agentArguments) {
    attachments.add(agentArguments);
    return this;
  }

  HostJvm option(String... jvmOptions) {
    options.addAll(Arrays.asList(jvmOptions));
    return this;
  }

  HostJvm argument(String... mainArguments) {
    arguments.addAll(Arrays.asList(mainArguments));
    return this;
  }

  /** Puts the jars of Netty on the module path. */
  HostJvm nettyAsModules() {
    List<Path> jars = classPath.stream().filter(path -> path.toString().endsWith(".jar")).toList();
    classPath.removeAll(jars);
    return option(
        "--module-path",
        jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
        "--add-modules",
        "io.netty.buffer");
  }

  /** Words of a command that runs the command behind them with read-only file systems. */
  static final List<String> READ_ONLY =
      List.of("unshare", "-m", "sh", "-c", "mount -o remount,bind,ro / && exec \"$@\"", "sh");

  /** Returns the path of the library's classes. */
  static Path library() {
    try {
      return Path.of(
          PooledByteBufAllocator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Sets a program that starts the host. */
  HostJvm startedBy(List<String> words) {
    starter.addAll(words);
    return this;
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(starter);
    command.add(Path.of(home, "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(options);
    command.add("-cp");
    command.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(command());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    return builder;
  }

  /** Starts a host that takes orders. */
  RunningHost start() throws IOException {
    Path err = Files.createTempFile("host", ".err");
    return new RunningHost(builder().redirectError(err.toFile()).start(), err);
  }

  /** Adds classes in front of those of Netty. */
  HostJvm first(Path entry) {
    classPath.add(0, entry);
    return this;
  }

  HostJvm main(String newMain) {
    main = newMain;
    return this;
  }

  /**
   * Lets {@code example.host.Host} wait until the agent has printed a text. The agent serves a host
   * before it opens the endpoint and logs that.
   */
  HostJvm untilAgentPrints(String text) {
    awaited = text;
    return this;
  }

  Result run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("host", ".out");
    Path err = Files.createTempFile("host", ".err");
    if (!awaited.isEmpty()) {
      argument("until=" + awaited, err.toString());
    }
    Process process = builder().redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    loadAgentInto(process);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the host hangs: " + read(out) + read(err));
    }
    Result result = new Result(process.exitValue(), read(out), read(err));
    Files.delete(out);
    Files.delete(err);
    return result;
  }

  private void loadAgentInto(Process process) throws IOException {
    if (attachments.isEmpty()) {
      return;
    }
    awaitStart(process);
    try {
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(process.pid()));
      for (String agentArguments : attachments) {
        machine.loadAgent(AGENT.toString(), agentArguments);
      }
      machine.detach();
    } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
      process.destroyForcibly();
      throw new AssertionError("the agent cannot be loaded", e);
    }
  }

  /**
   * Waits until the JVM can be attached to. Attaching starts with a signal that would end a JVM
   * that is still starting.
   */
  private static void awaitStart(Process process) {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> hasThread(threads, "Notification Th") || !process.isAlive());
  }

  /**
   * Returns whether there is a native thread with this name, of which the system keeps 15 letters.
   */
  private static boolean hasThread(Path threads, String name) {
    try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
      for (Path thread : each) {
        if (read(thread.resolve("comm")).contains(name)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException ended) {
      return false;
    }
  }

  private static List<String> read(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.UTF_8);
  }

  /**
   * Returns the Java homes to test on: the one that {@code -Dcistern.test.hostHome} names,
   * otherwise the home of the build and, except in the short form, that of a JDK 25 if there is
   * one.
   */
  static Stream<String> homes() {
    if (!HOST_HOME.isEmpty()) {
      return Stream.of(HOST_HOME);
    }
    String ofBuild = System.getProperty("java.home");
    boolean isOnlyOne = TestLength.isShort() || JDK_25.isEmpty();
    return isOnlyOne ? Stream.of(ofBuild) : Stream.of(ofBuild, JDK_25).distinct();
  }

  /**
   * Returns whether this is the home of the JDK 25, on which Netty 4.2 uses arenas of
   * java.lang.foreign.
   */
  static boolean isJdk25(String home) {
    return home.equals(JDK_25);
  }
}

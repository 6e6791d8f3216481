/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of a host. It is the same with and without the agent, except for the agent's
 * arguments.
 *
 * @param name name of the host in test names
 * @param javaHome JDK to run on
 * @param jvmArguments arguments of the JVM
 * @param path entries of the class path in order; a trailing {@code *} means all jars there
 * @param main the host's main class; or {@code -m} and its module, and the path is a module path
 * @param arguments the host's own arguments
 * @param clients one for each port of the host, in order
 */
record HostCommand(
    String name,
    Path javaHome,
    List<String> jvmArguments,
    List<Path> path,
    List<String> main,
    List<String> arguments,
    List<Client> clients) {

  static final Path AGENT = property("cistern.agent");
  static final Path TARGET = property("cistern.hosts.target");
  static final Path HOSTS = property("cistern.hosts");

  /** Returns a host of a module, with the libraries of that module. */
  static HostCommand of(String module, String main, Client... clients) {
    return new HostCommand(
        module,
        Path.of(System.getProperty("java.home")),
        List.of(),
        pathOf(module),
        List.of(main),
        List.of(),
        List.of(clients));
  }

  /** Returns a host that is a named module. */
  static HostCommand ofModule(String module, String main, Client... clients) {
    Path target = HOSTS.resolve(module).resolve("target");
    return new HostCommand(
        module,
        Path.of(System.getProperty("java.home")),
        List.of(),
        List.of(target.resolve("classes"), target.resolve("lib")),
        List.of("-m", main),
        List.of(),
        List.of(clients));
  }

  /** Returns the jar of a module and its libraries. */
  static List<Path> pathOf(String module) {
    Path target = HOSTS.resolve(module).resolve("target");
    return List.of(target.resolve("*"), target.resolve("lib").resolve("*"));
  }

  /** Joins entries into a class path. */
  static String join(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  HostCommand on(Path home) {
    return new HostCommand(
        name + " on " + home.getFileName(), home, jvmArguments, path, main, arguments, clients);
  }

  /** Returns the same host with other clients. */
  HostCommand calledBy(Client... others) {
    return new HostCommand(name, javaHome, jvmArguments, path, main, arguments, List.of(others));
  }

  HostCommand with(String... moreJvmArguments) {
    return new HostCommand(
        name,
        javaHome,
        Stream.concat(jvmArguments.stream(), Arrays.stream(moreJvmArguments)).toList(),
        path,
        main,
        arguments,
        clients);
  }

  /**
   * Returns the same host with the agent. The series limit allows all metrics of three copies; by
   * default, the third copy has only core metrics.
   */
  HostCommand withAgent() {
    return withAgent("listen=127.0.0.1:0,seriesLimit=1000");
  }

  HostCommand withAgent(String agentArguments) {
    return with(agentOption(agentArguments));
  }

  /** Returns the same host with the agent before any other. */
  HostCommand withAgentFirst() {
    List<String> options = new ArrayList<>(jvmArguments);
    options.add(0, agentOption("listen=127.0.0.1:0,seriesLimit=1000"));
    return new HostCommand(name, javaHome, options, path, main, arguments, clients);
  }

  private static String agentOption(String agentArguments) {
    return "-javaagent:" + AGENT + "=" + agentArguments;
  }

  HostCommand arguments(String... hostArguments) {
    return new HostCommand(
        name + " " + hostArguments[0],
        javaHome,
        jvmArguments,
        path,
        main,
        List.of(hostArguments),
        clients);
  }

  /** Returns the same host with the jars of a module first. */
  HostCommand first(String module) {
    List<Path> entries = new ArrayList<>(List.of(pathOf(module).get(1)));
    entries.addAll(path);
    return new HostCommand(
        name + ", " + module, javaHome, jvmArguments, entries, main, arguments, clients);
  }

  /** Returns the builder of a process that gets no options from the environment. */
  ProcessBuilder builder() {
    List<String> words = new ArrayList<>();
    words.add(javaHome.resolve("bin").resolve("java").toString());
    words.add("-Xmx256m");
    words.addAll(jvmArguments);
    words.add(main.get(0).equals("-m") ? "--module-path" : "-cp");
    words.add(join(path));
    words.addAll(main);
    words.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    return builder;
  }

  @Override
  public String toString() {
    return name;
  }

  private static Path property(String name) {
    return Path.of(Objects.requireNonNull(System.getProperty(name), name)).normalize();
  }
}

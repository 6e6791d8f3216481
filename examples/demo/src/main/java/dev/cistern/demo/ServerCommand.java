/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the application's JVM. It is the same with and without the agent, except for
 * the agent's arguments.
 *
 * @param javaHome JDK to run on
 * @param classPath entries in order; a directory with a trailing {@code *} means all jars in it
 * @param agent the agent's jar; null runs the application bare
 * @param agentArguments {@code key=value,...}
 * @param jvmArguments further arguments of the JVM
 * @param mainClass the application's main class
 * @param arguments the application's own arguments
 */
public record ServerCommand(
    Path javaHome,
    List<Path> classPath,
    @Nullable Path agent,
    String agentArguments,
    List<String> jvmArguments,
    String mainClass,
    List<String> arguments) {

  /** Returns the command of the server of {@code example.app}, on free ports, without the agent. */
  public static ServerCommand bare(Path applicationJar, Path nettyDirectory) {
    return new ServerCommand(
        Path.of(System.getProperty("java.home")),
        List.of(applicationJar, nettyDirectory.resolve("*")),
        null,
        "",
        List.of(),
        "example.app.Server",
        List.of("--port", "0", "--tls-port", "0", "--end-with-input"));
  }

  /** Returns the same command with the agent. */
  public ServerCommand withAgent(Path jar, String agentArguments) {
    return new ServerCommand(
        javaHome, classPath, jar, agentArguments, jvmArguments, mainClass, arguments);
  }

  /** Returns the same command on another JDK. */
  public ServerCommand withJavaHome(Path javaHome) {
    return new ServerCommand(
        javaHome, classPath, agent, agentArguments, jvmArguments, mainClass, arguments);
  }

  /** Returns the same command with other arguments of the JVM. */
  public ServerCommand withJvmArguments(List<String> jvmArguments) {
    return new ServerCommand(
        javaHome, classPath, agent, agentArguments, jvmArguments, mainClass, arguments);
  }

  /** Returns the same command with other arguments of the application. */
  public ServerCommand withArguments(List<String> arguments) {
    return new ServerCommand(
        javaHome, classPath, agent, agentArguments, jvmArguments, mainClass, arguments);
  }

  /**
   * Returns the same command with another main class, and with {@code first} at the beginning of
   * the class path.
   */
  public ServerCommand withFirst(Path first, String mainClass) {
    List<Path> entries = new ArrayList<>(classPath);
    entries.add(0, first);
    return new ServerCommand(
        javaHome, entries, agent, agentArguments, jvmArguments, mainClass, arguments);
  }

  /** Returns the words of the command line. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(javaHome.resolve("bin").resolve("java").toString());
    words.addAll(jvmArguments);
    if (agent != null) {
      String suffix = agentArguments.isEmpty() ? "" : "=" + agentArguments;
      words.add("-javaagent:" + agent + suffix);
    }
    words.add("-cp");
    words.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    words.add(mainClass);
    words.addAll(arguments);
    return words;
  }
}

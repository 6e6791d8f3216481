/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Options of {@code bin/cistern demo}.
 *
 * @param agent the agent's jar
 * @param jars the directory with {@code cistern-demo.jar} and Netty's jars in {@code netty-4.1} and
 *     {@code netty-4.2}
 * @param once whether to run one load, print a summary and end
 * @param netty {@code 4.1} or {@code 4.2}
 * @param port plain HTTP port of the application; 0 selects a free one
 * @param tlsPort its HTTPS port
 * @param metricsPort port of the agent's endpoint
 * @param loadTime duration of the load of {@code once}
 * @param agentArguments further arguments of the agent
 */
public record DemoOptions(
    Path agent,
    Path jars,
    boolean once,
    String netty,
    int port,
    int tlsPort,
    int metricsPort,
    Duration loadTime,
    String agentArguments) {

  private static final int MAX_PORT = 65_535;
  private static final int MAX_LOAD_SECONDS = 600;

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an option is unknown or its value is invalid
   */
  public static DemoOptions parse(List<String> args) {
    Path agent = Path.of("cistern-agent.jar");
    Path jars = Path.of("");
    boolean once = false;
    String netty = "4.1";
    int port = 8080;
    int tlsPort = 8443;
    int metricsPort = 9471;
    int loadSeconds = 8;
    String agentArguments = "";
    Set<String> given = new HashSet<>();
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      given.add(option);
      switch (option) {
        case "--once" -> once = true;
        case "--agent" -> agent = Path.of(Arguments.value(option, rest));
        case "--jars" -> jars = Path.of(Arguments.value(option, rest));
        case "--netty" -> netty = netty(Arguments.value(option, rest));
        case "--port" ->
            port = Arguments.number(option, Arguments.value(option, rest), 0, MAX_PORT);
        case "--tls-port" ->
            tlsPort = Arguments.number(option, Arguments.value(option, rest), 0, MAX_PORT);
        case "--metrics-port" ->
            metricsPort = Arguments.number(option, Arguments.value(option, rest), 0, MAX_PORT);
        case "--load-seconds" ->
            loadSeconds =
                Arguments.number(option, Arguments.value(option, rest), 1, MAX_LOAD_SECONDS);
        case "--agent-args" -> agentArguments = Arguments.value(option, rest);
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    return new DemoOptions(
        agent,
        jars,
        once,
        netty,
        once && !given.contains("--port") ? 0 : port,
        once && !given.contains("--tls-port") ? 0 : tlsPort,
        once && !given.contains("--metrics-port") ? 0 : metricsPort,
        Duration.ofSeconds(loadSeconds),
        agentArguments);
  }

  private static String netty(String text) {
    if (!text.equals("4.1") && !text.equals("4.2")) {
      throw new IllegalArgumentException("--netty must be 4.1 or 4.2, not " + text);
    }
    return text;
  }
}

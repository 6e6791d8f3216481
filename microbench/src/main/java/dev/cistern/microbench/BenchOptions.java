/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The command-line options of {@code cistern bench}.
 *
 * @param pattern a regular expression that selects cases by their id
 * @param jdk the home of the JDK that the forks run on; empty for the JDK of this process
 * @param collector G1 or Parallel
 * @param topic the topic to publish, or null
 * @param rounds forks of each variant
 * @param warmups warm-up iterations of a fork
 * @param iterations measured iterations of a fork
 * @param iterationMillis length of each iteration
 */
record BenchOptions(
    String pattern,
    String jdk,
    String collector,
    @Nullable Topic topic,
    boolean quick,
    boolean everyPeer,
    boolean list,
    int rounds,
    int warmups,
    int iterations,
    int iterationMillis) {

  private static final Set<String> COLLECTORS = Set.of("G1", "Parallel");

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an argument is unknown or invalid; the message is for the
   *     user
   */
  static BenchOptions parse(List<String> arguments) {
    Parser parser = new Parser(arguments);
    while (parser.at < arguments.size()) {
      parser.next();
    }
    return parser.options();
  }

  private static final class Parser {
    private final List<String> arguments;
    private int at;
    private String pattern = "";
    private String jdk = "";
    private String collector = "G1";
    private @Nullable Topic topic;
    private boolean quick;
    private boolean everyPeer;
    private boolean list;
    private int rounds;

    Parser(List<String> arguments) {
      this.arguments = arguments;
    }

    void next() {
      String argument = arguments.get(at++);
      switch (argument) {
        case "--quick" -> quick = true;
        case "--every-peer" -> everyPeer = true;
        case "--list" -> list = true;
        case "--jdk" -> jdk = value(argument, "the home of a JDK");
        case "--gc" -> collector = collector(value(argument, "G1 or Parallel"));
        case "--publish" -> topic = Topic.of(value(argument, Topic.all()));
        case "--rounds" -> rounds = rounds(value(argument, "1 to 100"));
        default -> pattern(argument);
      }
    }

    private String value(String option, String allowed) {
      if (at == arguments.size()) {
        throw new IllegalArgumentException(option + " needs a value: " + allowed);
      }
      return arguments.get(at++);
    }

    private static String collector(String value) {
      if (!COLLECTORS.contains(value)) {
        throw new IllegalArgumentException("--gc: " + value + " (expected: G1 or Parallel)");
      }
      return value;
    }

    private static int rounds(String value) {
      if (!value.matches("[1-9][0-9]?|100")) {
        throw new IllegalArgumentException("--rounds: " + value + " (expected: 1 to 100)");
      }
      return Integer.parseInt(value);
    }

    private void pattern(String argument) {
      if (argument.startsWith("-")) {
        throw new IllegalArgumentException("unknown option " + argument);
      }
      if (!pattern.isEmpty()) {
        throw new IllegalArgumentException(
            "too many patterns: " + pattern + ", " + argument + " (expected: one)");
      }
      try {
        Pattern.compile(argument);
      } catch (PatternSyntaxException malformed) {
        throw new IllegalArgumentException(
            "pattern " + argument + ": " + malformed.getDescription(), malformed);
      }
      pattern = argument;
    }

    BenchOptions options() {
      if (topic != null && (quick || everyPeer || !pattern.isEmpty())) {
        throw new IllegalArgumentException(
            "--publish "
                + topic.label()
                + " has its own cases: no pattern, --quick or --every-peer");
      }
      String cases = topic == null ? pattern : topic.pattern();
      int forks = rounds != 0 ? rounds : topic != null ? Topic.ROUNDS : quick ? 2 : 3;
      return quick
          ? new BenchOptions(cases, jdk, collector, topic, true, everyPeer, list, forks, 2, 3, 250)
          : new BenchOptions(
              cases, jdk, collector, topic, false, everyPeer, list, forks, 4, 4, 400);
    }
  }

  /** Returns a human-readable description of how each fork runs. */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%d rounds of one fork each, warm-up %d x %d ms, measured %d x %d ms, some cases otherwise",
        rounds,
        warmups,
        iterationMillis,
        iterations,
        iterationMillis);
  }
}

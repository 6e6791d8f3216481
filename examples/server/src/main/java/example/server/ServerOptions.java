/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import java.util.Iterator;
import java.util.List;

/**
 * The options of the server.
 *
 * @param host address to listen on
 * @param httpPort port for HTTP; 0 selects a free one, -1 for none
 * @param echoPort port that sends back all input; 0 selects a free one, -1 for none
 * @param threads event loops
 * @param endWithInput whether the server ends when its standard input ends, for example because its
 *     parent process has ended
 * @param help whether to print only the usage
 */
record ServerOptions(
    String host, int httpPort, int echoPort, int threads, boolean endWithInput, boolean help) {
  static final String USAGE =
      """
      usage: [--host address] [--http-port N|none] [--echo-port N|none] [--threads N] [--end-with-input]
        --host address     address to listen on (127.0.0.1)
        --http-port N      port for HTTP: GET /plaintext (8080); 0 selects a free port
        --echo-port N      port that sends back all input (none); 0 selects a free port
        --threads N        number of event loops (number of processors)
        --end-with-input   end when standard input ends; until then, the line "memory" prints a report
        --help             print this text
      """;

  private static final int NONE = -1;
  private static final int MAX_PORT = 65_535;
  private static final int MAX_THREADS = 1_024;

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an option is unknown or its value is out of range
   */
  static ServerOptions parse(List<String> args) {
    String host = "127.0.0.1";
    int httpPort = 8080;
    int echoPort = NONE;
    int threads = Runtime.getRuntime().availableProcessors();
    boolean endWithInput = false;
    boolean help = false;
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      switch (option) {
        case "--host" -> host = value(option, rest);
        case "--http-port" -> httpPort = port(option, value(option, rest));
        case "--echo-port" -> echoPort = port(option, value(option, rest));
        case "--threads" -> threads = number(option, value(option, rest), 1, MAX_THREADS);
        case "--end-with-input" -> endWithInput = true;
        case "--help" -> help = true;
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    if (httpPort == NONE && echoPort == NONE) {
      throw new IllegalArgumentException(
          "--http-port and --echo-port are both none: one of them must be a number");
    }
    return new ServerOptions(host, httpPort, echoPort, threads, endWithInput, help);
  }

  private static int port(String option, String text) {
    return text.equals("none") ? NONE : number(option, text, 0, MAX_PORT);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private static int number(String option, String text, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The error message is the same as for a number out of range.
    }
    throw new IllegalArgumentException(
        option + " must be a number from " + min + " to " + max + ", not " + text);
  }
}

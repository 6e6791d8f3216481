/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import java.util.Iterator;
import java.util.List;

/**
 * The options of the server.
 *
 * @param host address to listen on
 * @param port plain HTTP port; 0 selects a free one
 * @param tlsPort HTTPS port; 0 selects a free one, -1 disables HTTPS
 * @param threads event loop threads
 * @param endWithInput whether the server ends when its standard input ends, for example because its
 *     parent process has ended
 */
public record ServerOptions(String host, int port, int tlsPort, int threads, boolean endWithInput) {
  static final String USAGE =
      "usage: [--host address] [--port N] [--tls-port N|none] [--threads N] [--end-with-input]";

  private static final int DEFAULT_THREADS = 4;
  private static final int MAX_PORT = 65_535;
  private static final int MAX_THREADS = 1_024;

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an option is unknown or its value is out of range
   */
  public static ServerOptions parse(List<String> args) {
    String host = "127.0.0.1";
    int port = 8080;
    int tlsPort = 8443;
    int threads = DEFAULT_THREADS;
    boolean endWithInput = false;
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      switch (option) {
        case "--host" -> host = value(option, rest);
        case "--port" -> port = number(option, value(option, rest), 0, MAX_PORT);
        case "--tls-port" -> tlsPort = tlsPort(option, value(option, rest));
        case "--threads" -> threads = number(option, value(option, rest), 1, MAX_THREADS);
        case "--end-with-input" -> endWithInput = true;
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    return new ServerOptions(host, port, tlsPort, threads, endWithInput);
  }

  private static int tlsPort(String option, String text) {
    return text.equals("none") ? -1 : number(option, text, 0, MAX_PORT);
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

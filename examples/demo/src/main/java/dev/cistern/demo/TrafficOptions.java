/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.util.Iterator;
import java.util.List;

/**
 * The options of {@link Traffic}.
 *
 * @param host the application's address
 * @param port its plain HTTP port
 * @param requestsPerSecond load over all connections, 1 to 100,000
 * @param leaksPerSecond buffers of 16 KiB that the application leaks each second, 0 to 512
 */
record TrafficOptions(String host, int port, int requestsPerSecond, int leaksPerSecond) {
  static final String USAGE =
      "usage: Traffic --target host:port [--requests-per-second N] [--leaks-per-second N]";

  private static final int MAX_REQUESTS_PER_SECOND = 100_000;
  private static final int MAX_LEAKS_PER_SECOND = 512;

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if an option is unknown, missing, or its value is invalid
   */
  static TrafficOptions parse(List<String> args) {
    String target = "";
    int requestsPerSecond = 200;
    int leaksPerSecond = 16;
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      String value = Arguments.value(option, rest);
      switch (option) {
        case "--target" -> target = value;
        case "--requests-per-second" ->
            requestsPerSecond = Arguments.number(option, value, 1, MAX_REQUESTS_PER_SECOND);
        case "--leaks-per-second" ->
            leaksPerSecond = Arguments.number(option, value, 0, MAX_LEAKS_PER_SECOND);
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    int colon = target.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("--target must be host:port, not '" + target + "'");
    }
    int port = Arguments.number("--target's port", target.substring(colon + 1), 1, 65_535);
    return new TrafficOptions(target.substring(0, colon), port, requestsPerSecond, leaksPerSecond);
  }
}

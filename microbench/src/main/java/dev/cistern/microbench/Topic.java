/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A published set of cases. {@code memory} and {@code http} have separate programs. */
enum Topic {
  /** Allocation and release, through the library. */
  ALLOCATOR(
      "^(pair/direct/(64B|1KiB|8KiB)/|pair/direct/(64KiB|1MiB)/loop$"
          + "|lifetime/(proxy/1024|gateway/65536)-live/loop$|hand-off/.*/loop$)"),
  /** The targets of the engine, each with its verdict. */
  ENGINE("^engine/(?!direct/)"),
  /** The library's other operations, and the seed benchmarks. */
  LIBRARY("^(api/(?!leak-)|H1/|I[0-9])"),
  /** Workloads of host applications, with the agent and without. */
  HOSTS("^J[0-9]"),
  /** The cost of leak detection. */
  LEAKS("^(leaks/|api/leak-)"),
  /** Allocation and release through Netty's {@code ByteBuf}, without the agent. */
  NETTY_ALLOCATOR("^netty-allocator/");

  /** The number of rounds of a published run: the minimum for a 95 % interval. */
  static final int ROUNDS = 10;

  private final String pattern;

  Topic(String pattern) {
    this.pattern = pattern;
  }

  /** Returns the regular expression of its cases. */
  String pattern() {
    return pattern;
  }

  /** Returns the name of its files, without the extension. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the topic of that name.
   *
   * @throws IllegalArgumentException for an unknown name
   */
  static Topic of(String label) {
    return Arrays.stream(values())
        .filter(topic -> topic.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("--publish " + label + " (expected: " + all() + ")"));
  }

  /** Returns all names, for a message. */
  static String all() {
    return Arrays.stream(values()).map(Topic::label).collect(Collectors.joining(", "));
  }
}

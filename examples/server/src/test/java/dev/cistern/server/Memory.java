/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server's report of its memory.
 *
 * @param connections open connections
 * @param pinned bytes of live buffers
 * @param reserved bytes that the pool has reserved from the system
 * @param leaks leaked buffers
 * @param heap used bytes of the Java heap
 */
record Memory(long connections, long pinned, long reserved, long leaks, long heap) {
  private static final Pattern LINE =
      Pattern.compile(
          "memory connections=(\\d+) pinned=(\\d+) reserved=(\\d+) leaks=(\\d+) heap=(\\d+)");

  static Memory parse(String line) {
    Matcher figures = LINE.matcher(String.valueOf(line));
    assertThat(figures.matches()).as("a report: %s", line).isTrue();
    return new Memory(
        figure(figures, 1),
        figure(figures, 2),
        figure(figures, 3),
        figure(figures, 4),
        figure(figures, 5));
  }

  private static long figure(Matcher figures, int group) {
    return Long.parseLong(figures.group(group));
  }
}

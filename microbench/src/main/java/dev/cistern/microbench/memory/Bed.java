/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a scenario: the allocator, threads, a seed, and the output of figures. Each
 * figure is a line on the child's standard output.
 */
final class Bed {
  static final String POINT = "point";
  static final String NUMBER = "number";
  static final String DETAIL = "detail";

  /** The number of event loops in each scenario. */
  static final int LOOPS = 4;

  final EventLoops loops = new EventLoops(LOOPS);
  final long seed;
  private final PrintStream out;
  private @Nullable Subject subject;

  Bed(long seed, PrintStream out) {
    this.seed = seed;
    this.out = out;
  }

  /**
   * Sets the allocator. This is the last step of the setup, so that the heap use of the allocator
   * is measurable.
   */
  void open(Subject opened) {
    subject = opened;
  }

  Subject subject() {
    if (subject == null) {
      throw new IllegalStateException("no allocator yet");
    }
    return subject;
  }

  Meter meter() {
    return new Meter(subject());
  }

  void point(String label, Point point) {
    out.println(POINT + " " + label + " " + point.encode());
  }

  void number(String label, long value) {
    out.println(NUMBER + " " + label + " " + value);
  }

  void detail(String label) {
    String detail = subject().detail();
    if (!detail.isEmpty()) {
      out.println(DETAIL + " " + label + " " + detail);
    }
  }

  /** Returns the seed of one of the threads. */
  long seed(int thread) {
    return seed * 31 + thread;
  }
}

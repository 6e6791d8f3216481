/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

/**
 * The targets: the maximum time of our variant, as a share of the other variant's time. {@code NaN}
 * if there is no target.
 */
enum Target {
  /**
   * Allocate and release, 64 B to 16 KiB, on event-loop threads: compared with the best peer, and
   * with the lower bound.
   */
  ENGINE_PAIR_LOOP(Rule.INTERVAL, 0.60, 1.2),
  /** The same on plain threads. */
  ENGINE_PAIR_PLAIN(Rule.INTERVAL, 0.21),
  /** Allocate and release, 64 KiB and 1 MiB. */
  ENGINE_RUN(Rule.INTERVAL, 0.165),
  /** Random lifetime, by one thread and by eight. */
  ENGINE_LIFETIME(Rule.INTERVAL, 0.42),
  /** Random lifetime by eight threads, from the start of the JVM. */
  ENGINE_START(Rule.WORST, 1.0),
  /** Producer and consumer, 1 KiB. */
  ENGINE_HAND_OFF_SMALL(Rule.INTERVAL, 0.75),
  /** Producer and consumer, 16 KiB. */
  ENGINE_HAND_OFF_LARGE(Rule.INTERVAL, 0.60),
  /** The slowest allocations among 10,000. */
  ENGINE_TAIL(Rule.INTERVAL, 0.5),
  /** Allocate and release, 64 B to 16 KiB, on event-loop threads. */
  PAIR_LOOP(0.65, 0.30),
  /** The same on plain threads. */
  PAIR_PLAIN(0.25, Double.NaN),
  /** Allocate and release, 32 KiB to 1 MiB. */
  RUN(0.25, Double.NaN),
  /** 1 to 16 MiB, untouched. */
  LARGE_UNTOUCHED(0.5, Double.NaN),
  /** 1 to 16 MiB, touched. */
  LARGE_TOUCHED(1.0, Double.NaN),
  /** Random lifetime, 1,024 and 65,536 live. */
  LIFETIME(0.45, Double.NaN),
  /** Producer and consumer net of the hand-off, larson, sh8. */
  SHARED(0.7, Double.NaN),
  /** Eight threads on the machine's cores. */
  CROWD(0.75, 0.3),
  /** Ten thousand virtual threads. */
  VIRTUAL(0.5, Double.NaN),
  /** Both without thread caches. */
  UNCACHED(0.5, Double.NaN),
  /** Called through the agent's bridge. */
  BRIDGE(0.75, 0.35),
  /** Called as an allocator of Netty, without the agent. */
  NETTY_ALLOCATOR(Rule.INTERVAL, 0.75),
  /** Live profile and leak detection enabled, compared with our variant without them. */
  LEAKS(Double.NaN, Double.NaN, 1.10),
  /** The library's plain operations: no measurable difference to theirs. */
  NO_SLOWER(1.0, Double.NaN),
  /** Slices, duplicates, composite buffers. */
  DERIVED(0.9, Double.NaN),
  /** A search for a byte in 4 KiB. */
  SEARCH(0.8, Double.NaN),
  /** Text written to a buffer. */
  TEXT(0.7, Double.NaN),
  /** An object taken from a recycler and returned. */
  RECYCLER(0.8, Double.NaN),
  /** The recording of an access to a tracked object. */
  LEAK_RECORD(0.5, Double.NaN),
  /** Small buffers gathered into one write. */
  OUTBOUND(0.9, Double.NaN),
  /** Measured and reported only. */
  NONE(Double.NaN, Double.NaN);

  /** The statistic that decides whether a target is met. */
  enum Rule {
    /** The median of the rounds' ratios. */
    MEDIAN,
    /**
     * The upper end of the 95 % interval of the rounds' ratios; 1 % above the target is tolerated.
     */
    INTERVAL,
    /** Our slowest round divided by the median of the other variant's rounds. */
    WORST
  }

  private final Rule rule;
  private final double ofBest;
  private final double ofPooled;
  private final double ofOursWithout;
  private final double ofFloor;

  Target(double ofBest, double ofPooled) {
    this(ofBest, ofPooled, Double.NaN);
  }

  Target(double ofBest, double ofPooled, double ofOursWithout) {
    this(Rule.MEDIAN, ofBest, ofPooled, ofOursWithout, Double.NaN);
  }

  Target(Rule rule, double ofBest) {
    this(rule, ofBest, Double.NaN);
  }

  Target(Rule rule, double ofBest, double ofFloor) {
    this(rule, ofBest, Double.NaN, Double.NaN, ofFloor);
  }

  Target(Rule rule, double ofBest, double ofPooled, double ofOursWithout, double ofFloor) {
    this.rule = rule;
    this.ofBest = ofBest;
    this.ofPooled = ofPooled;
    this.ofOursWithout = ofOursWithout;
    this.ofFloor = ofFloor;
  }

  /** Returns the statistic that decides whether the target is met. */
  Rule rule() {
    return rule;
  }

  /** Returns the limit relative to the fastest measured peer. */
  double ofBest() {
    return ofBest;
  }

  /** Returns the limit relative to Netty's pooled allocator at its defaults. */
  double ofPooled() {
    return ofPooled;
  }

  /** Returns the limit relative to our variant without leak detection. */
  double ofOursWithout() {
    return ofOursWithout;
  }

  /** Returns the limit relative to {@link Variant#FLOOR}. */
  double ofFloor() {
    return ofFloor;
  }
}

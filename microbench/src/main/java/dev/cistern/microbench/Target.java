/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

/**
 * What we want to reach: the most that ours may take, as a share of the other's time. {@code NaN}
 * where nothing is promised.
 */
enum Target {
  /** Allocate and release, 64 B to 16 KiB, on event-loop threads: of the best, and of the floor. */
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
  /** Both without thread caches (seed row I1). */
  UNCACHED(0.5, Double.NaN),
  /** Called through the agent's bridge. */
  BRIDGE(0.75, 0.35),
  /** Called as an allocator of Netty, without the agent. */
  NETTY_ALLOCATOR(Rule.INTERVAL, 0.75),
  /** Live profile and leak detection added: against ours without. */
  LEAKS(Double.NaN, Double.NaN, 1.10),
  /** The library's plain operations: as fast as theirs, as far as can be told. */
  NO_SLOWER(1.0, Double.NaN),
  /** Slices, duplicates, composite buffers. */
  DERIVED(0.9, Double.NaN),
  /** A byte looked for in 4 KiB. */
  SEARCH(0.8, Double.NaN),
  /** Text written into a buffer. */
  TEXT(0.7, Double.NaN),
  /** An object taken from a recycler and given back. */
  RECYCLER(0.8, Double.NaN),
  /** An access of a watched object recorded (seed row I6). */
  LEAK_RECORD(0.5, Double.NaN),
  /** Small buffers gathered into one write (seed row H1). */
  OUTBOUND(0.9, Double.NaN),
  /** Measured and reported only. */
  NONE(Double.NaN, Double.NaN);

  /** What decides whether a target is met. */
  enum Rule {
    /** The median of the rounds' ratios. */
    MEDIAN,
    /** The upper end of the 95 % interval of the rounds' ratios, which may be 1 % beyond. */
    INTERVAL,
    /** The slowest round of ours over the median of the other's rounds. */
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

  /** What decides whether it is met. */
  Rule rule() {
    return rule;
  }

  /** Of the fastest peer measured. */
  double ofBest() {
    return ofBest;
  }

  /** Of Netty's pooled allocator at its defaults. */
  double ofPooled() {
    return ofPooled;
  }

  /** Of our own without leak detection. */
  double ofOursWithout() {
    return ofOursWithout;
  }

  /** Of {@link Variant#FLOOR}. */
  double ofFloor() {
    return ofFloor;
  }
}

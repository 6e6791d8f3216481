/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One comparison: a benchmark with its parameters, and the variants that it measures back to back.
 * Only the classes that define cases call the methods that change it.
 */
final class Case {
  /**
   * The number of iterations whose time the single iteration from the start of the JVM takes: 8 s,
   * less in a first look.
   */
  private static final int START_ITERATIONS = 20;

  /**
   * The id, such as {@code pattern/...}, which the expression on the command line is matched with.
   */
  final String id;

  /** The class and method of the benchmark. In a pair, the method lacks the suffix of the side. */
  final String benchmark;

  /** The kind of threads that run the benchmark. */
  final ThreadKind kind;

  private final Map<String, String> parameters = new LinkedHashMap<>();
  private List<Variant> variants;
  private int threads = 1;
  private Target target = Target.NONE;
  private boolean paired;
  private boolean net;
  private boolean brief;
  private boolean half;
  private boolean middleHalf;
  private boolean inFirstLook;
  private boolean hosted;
  private boolean fromStart;
  private boolean throughput;
  private int ownWarmups;
  private @Nullable String counter;
  private Supplier<@Nullable String> missing = () -> null;
  private int minimumJdk = 17;

  Case(String id, String benchmark, ThreadKind kind, List<Variant> variants) {
    this.id = id;
    this.benchmark = benchmark;
    this.kind = kind;
    this.variants = variants;
  }

  /** Sets a parameter of the benchmark. */
  Case with(String parameter, Object value) {
    parameters.put(parameter, String.valueOf(value));
    return this;
  }

  /**
   * Marks the case as a pair: each side has its own benchmark method. An operation takes
   * nanoseconds and needs little warm-up. The forks are therefore short, and there can be many.
   */
  Case inPair() {
    paired = true;
    return this;
  }

  /** Shortens the forks to a fifth, so that all seed cases together take minutes. */
  Case brief() {
    brief = true;
    return this;
  }

  /** Shortens the forks to a half, except in a first look, whose forks are already short. */
  Case half() {
    half = true;
    return this;
  }

  /** Sets the number of JMH's worker threads; the default is 1. */
  Case onThreads(int count) {
    threads = count;
    return this;
  }

  /** Sets the target for the first variant. */
  Case aimingAt(Target newTarget) {
    target = newTarget;
    return this;
  }

  /** Also measures the benchmark without an allocator, and subtracts that time from both sides. */
  Case netOfNothing() {
    variants = new ArrayList<>(variants);
    variants.add(Variant.NOTHING);
    net = true;
    return this;
  }

  /**
   * Runs four times as many iterations, each half as long, and drops the slowest and the fastest
   * quarter. If threads wait for each other and the machine stops one of them for a few
   * milliseconds, all of them stop. Such moments would dominate the mean.
   */
  Case countingMiddleHalf() {
    middleHalf = true;
    return this;
  }

  /**
   * Configures the case for a workload of a host: many short iterations, of which the middle half
   * counts. Iterations during which the compiler or the garbage collector runs are therefore
   * dropped. Workloads with more code need more warm-up iterations.
   */
  Case hosted(int warmups) {
    hosted = true;
    return brief().countingMiddleHalf().warmingUp(warmups);
  }

  /** Replaces the number of warm-up iterations of the run. */
  Case warmingUp(int iterations) {
    ownWarmups = iterations;
    return this;
  }

  /**
   * Measures one long iteration of a new JVM without warm-up. It runs twice as many rounds, so that
   * the slowest round is meaningful.
   */
  Case fromStart() {
    fromStart = true;
    return this;
  }

  /**
   * Counts the operations of all threads together, so that a thread with few operations does not
   * weigh more than the remaining threads.
   */
  Case byThroughput() {
    throughput = true;
    return this;
  }

  /** Reads the nanoseconds from that auxiliary counter of the benchmark instead of its score. */
  Case countedBy(String auxiliaryCounter) {
    counter = auxiliaryCounter;
    return this;
  }

  /** Skips the case if the supplier returns a reason. */
  Case unless(Supplier<@Nullable String> reason) {
    missing = reason;
    return this;
  }

  /** Includes the case in a first look. */
  Case first() {
    inFirstLook = true;
    return this;
  }

  /** Skips the case on an older JDK. */
  Case fromJdk(int jdk) {
    minimumJdk = jdk;
    return this;
  }

  /** Returns the variants in the order of the odd rounds. */
  List<Variant> variants() {
    return variants;
  }

  void variants(List<Variant> others) {
    variants = others;
  }

  /** Returns the class and method that measure that variant. */
  String benchmark(Variant variant) {
    return paired ? benchmark + variant.methodSuffix() : benchmark;
  }

  boolean isPaired() {
    return paired;
  }

  Map<String, String> parameters() {
    return parameters;
  }

  int threads() {
    return threads;
  }

  Target target() {
    return target;
  }

  boolean isNet() {
    return net;
  }

  boolean countsMiddleHalf() {
    return middleHalf;
  }

  boolean isHosted() {
    return hosted;
  }

  /** Returns the reason why the case cannot run on this machine, or null. */
  @Nullable String missing() {
    return missing.get();
  }

  /**
   * Returns whether the time of an operation is the total time of all threads divided by all their
   * operations.
   */
  boolean isByThroughput() {
    return throughput;
  }

  /** Returns the auxiliary counter that holds the nanoseconds, or null if the score holds them. */
  @Nullable String counter() {
    return counter;
  }

  /** Returns the number of forks of each variant. */
  int rounds(BenchOptions options) {
    return fromStart ? 2 * options.rounds() : options.rounds();
  }

  /** Returns the number of warm-up iterations of a fork. */
  int warmups(BenchOptions options) {
    if (fromStart || options.warmups() == 0) {
      return 0;
    }
    if (ownWarmups > 0) {
      return ownWarmups;
    }
    return middleHalf ? 2 * options.warmups() : options.warmups();
  }

  /** Returns the number of measured iterations of a fork. */
  int iterations(BenchOptions options) {
    if (fromStart) {
      return 1;
    }
    return middleHalf ? 4 * options.iterations() : options.iterations();
  }

  /** Returns the length of a warm-up or measured iteration. */
  int iterationMillis(BenchOptions options) {
    if (fromStart) {
      return START_ITERATIONS * options.iterationMillis();
    }
    if (brief) {
      return options.iterationMillis() / 8;
    }
    boolean halved = middleHalf || paired || (half && !options.quick());
    return halved ? options.iterationMillis() / 2 : options.iterationMillis();
  }

  boolean isInFirstLook() {
    return inFirstLook;
  }

  int minimumJdk() {
    return minimumJdk;
  }
}

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
 * One comparison: a benchmark with its parameters, and what it is measured on, back to back. Only
 * {@link Cases} calls the methods that change it.
 */
final class Case {
  /** Length of the iteration from the start of the JVM: 8 s, less in a first look. */
  private static final int START_ITERATIONS = 20;

  /** {@code pattern/...}: what an expression on the command line is matched with. */
  final String id;

  /** Class and method, of a pair without the side's name at its end. */
  final String benchmark;

  /** What kind of threads it runs on. */
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
   * Each side has a benchmark method of its own. An operation takes nanoseconds and has little to
   * warm up, so that a fork is short and there can be many.
   */
  Case inPair() {
    paired = true;
    return this;
  }

  /** Takes forks a fifth as long, so that all rows of the seeds together take minutes. */
  Case brief() {
    brief = true;
    return this;
  }

  /** Takes forks half as long, but not in a first look, where they are short already. */
  Case half() {
    half = true;
    return this;
  }

  /** JMH's worker threads; 1 unless said. */
  Case onThreads(int count) {
    threads = count;
    return this;
  }

  /** What the first of its variants has to reach. */
  Case aimingAt(Target newTarget) {
    target = newTarget;
    return this;
  }

  /** Measures the benchmark without an allocator too, and takes that off both sides. */
  Case netOfNothing() {
    variants = new ArrayList<>(variants);
    variants.add(Variant.NOTHING);
    net = true;
    return this;
  }

  /**
   * Runs four times as many iterations, half as long, of which the quarter that was slowest and the
   * one that was fastest do not count: where threads wait for each other, one that the machine
   * stops for a few milliseconds stops all, and a mean would be made of such moments.
   */
  Case countingMiddleHalf() {
    middleHalf = true;
    return this;
  }

  /**
   * A workload of a host: many short iterations of which the middle half counts, so that one in
   * which the compiler or the collector was at work does not; longer to warm up where there is more
   * code.
   */
  Case hosted(int warmups) {
    hosted = true;
    return brief().countingMiddleHalf().warmingUp(warmups);
  }

  /** Warms up by that many iterations instead of those of the run. */
  Case warmingUp(int iterations) {
    ownWarmups = iterations;
    return this;
  }

  /**
   * Measures one long iteration of a new JVM without warm-up, in twice as many rounds, so that the
   * worst of them says something.
   */
  Case fromStart() {
    fromStart = true;
    return this;
  }

  /**
   * Counts the operations of all threads together, so that a thread that does few of them does not
   * weigh more than the others.
   */
  Case byThroughput() {
    throughput = true;
    return this;
  }

  /** Takes nanoseconds from that auxiliary counter of the benchmark instead of its score. */
  Case countedBy(String auxiliaryCounter) {
    counter = auxiliaryCounter;
    return this;
  }

  /** Leaves it out where that gives a reason. */
  Case unless(Supplier<@Nullable String> reason) {
    missing = reason;
    return this;
  }

  /** Includes it in a first look. */
  Case first() {
    inFirstLook = true;
    return this;
  }

  /** Leaves it out where the JDK is older. */
  Case fromJdk(int jdk) {
    minimumJdk = jdk;
    return this;
  }

  /** In the order of the odd rounds. */
  List<Variant> variants() {
    return variants;
  }

  void variants(List<Variant> others) {
    variants = others;
  }

  /** Class and method that measure it on that variant. */
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

  /** Why it cannot run on this machine, or null. */
  @Nullable String missing() {
    return missing.get();
  }

  /** Whether its time is that of all threads over all their operations. */
  boolean isByThroughput() {
    return throughput;
  }

  /** The auxiliary counter that has its nanoseconds, or null if its score has them. */
  @Nullable String counter() {
    return counter;
  }

  /** Forks of each variant. */
  int rounds(BenchOptions options) {
    return fromStart ? 2 * options.rounds() : options.rounds();
  }

  /** Warm-up iterations of a fork. */
  int warmups(BenchOptions options) {
    if (fromStart || options.warmups() == 0) {
      return 0;
    }
    if (ownWarmups > 0) {
      return ownWarmups;
    }
    return middleHalf ? 2 * options.warmups() : options.warmups();
  }

  /** Measured iterations of a fork. */
  int iterations(BenchOptions options) {
    if (fromStart) {
      return 1;
    }
    return middleHalf ? 4 * options.iterations() : options.iterations();
  }

  /** Length of an iteration, warm-up or measured. */
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

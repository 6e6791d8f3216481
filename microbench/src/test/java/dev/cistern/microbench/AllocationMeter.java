/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the Java heap allocation of Cistern's side of paired cases with JMH's profiler, all in
 * this JVM. Prints a line {@code <case><tab><bytes of one operation>} for each.
 *
 * <p>A method may allocate before it is compiled, and not later. JMH also allocates a fixed amount
 * in each iteration, which few operations share on a busy machine. Therefore, the minimum of
 * several iterations counts. If a case allocates in all iterations, it is measured again, five
 * times as long each time. Both effects then decrease, but an allocation by the code itself
 * remains.
 */
final class AllocationMeter {
  private static final String BYTES_OF_AN_OPERATION = "gc.alloc.rate.norm";
  private static final String ON_A_PLAIN_THREAD = "OnPlain";

  private static final int SHORT_MILLIS = 40;
  private static final int LONG_MILLIS = 200;
  private static final int ITERATIONS = 3;
  private static final int REPEATS = 3;
  private static final int TIMES_LONGER = 5;

  private AllocationMeter() {}

  /**
   * Measures the cases.
   *
   * @param arguments {@code long} or {@code short}, and the names of the cases
   */
  public static void main(String[] arguments) throws RunnerException {
    int millis = arguments[0].equals("long") ? LONG_MILLIS : SHORT_MILLIS;
    List<String> wanted = Arrays.asList(arguments).subList(1, arguments.length);
    for (Case one : AllocationTest.candidates()) {
      if (wanted.contains(one.id)) {
        System.out.printf(Locale.ROOT, "%s\t%.3f%n", one.id, bytes(one, millis));
      }
    }
  }

  private static double bytes(Case one, int millis) throws RunnerException {
    double least = leastOfIterations(one, millis);
    int repeatMillis = LONG_MILLIS;
    for (int i = 0; i < REPEATS && AllocationTest.offends(one.id, least); i++) {
      least = Math.min(least, leastOfIterations(one, repeatMillis));
      repeatMillis *= TIMES_LONGER;
    }
    return least;
  }

  private static double leastOfIterations(Case one, int millis) throws RunnerException {
    String method = one.benchmark(Variant.LIBRARY);
    // without forks, JMH ignores the @Fork annotation, which selects the workers otherwise
    EventLoopThreads.choose(
        method.contains(ON_A_PLAIN_THREAD)
            ? EventLoopThreads.PLAIN_WORKERS
            : EventLoopThreads.OUR_WORKERS);
    TimeValue time = TimeValue.milliseconds(millis);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(Fork.class.getPackageName() + "." + method) + "$")
            .forks(0)
            .warmupIterations(2)
            .warmupTime(time)
            .measurementIterations(ITERATIONS)
            .measurementTime(time)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    one.parameters().forEach((name, value) -> options.param(name, value));
    double least = Double.POSITIVE_INFINITY;
    for (RunResult run : new Runner(options.build()).run()) {
      for (BenchmarkResult fork : run.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          Result<?> bytes = iteration.getSecondaryResults().get(BYTES_OF_AN_OPERATION);
          least = Math.min(least, bytes.getScore());
        }
      }
    }
    if (!Double.isFinite(least)) {
      throw new IllegalStateException("Nothing measured of " + one.id);
    }
    return least;
  }
}

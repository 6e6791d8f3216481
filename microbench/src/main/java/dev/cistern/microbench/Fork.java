/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs one variant of one case in a separate JVM. */
final class Fork {
  /**
   * A heap that is large enough to keep Netty's adaptive allocator out of its low-memory mode, and
   * direct memory for 65,536 live buffers of any allocator.
   */
  private static final List<String> MEMORY =
      List.of("-Xms2g", "-Xmx2g", "-XX:MaxDirectMemorySize=8g");

  private static final int LAST_LINES = 25;

  private final BenchOptions options;
  private final Jdk jdk;
  private final int forks;

  Fork(BenchOptions options, Jdk jdk) {
    this(options, jdk, 1);
  }

  private Fork(BenchOptions options, Jdk jdk, int forks) {
    this.options = options;
    this.jdk = jdk;
    this.forks = forks;
  }

  /**
   * Returns a fork that runs in this JVM, to check that a benchmark works. Its times are
   * meaningless.
   */
  static Fork inThisProcess(BenchOptions options, Jdk jdk) {
    return new Fork(options, jdk, 0);
  }

  /** Returns the arguments of all JVMs of a run. */
  static List<String> commonArguments(BenchOptions options) {
    List<String> arguments = new ArrayList<>(MEMORY);
    arguments.add("-XX:+Use" + options.collector() + "GC");
    return arguments;
  }

  /**
   * Runs the benchmark.
   *
   * @return nanoseconds of one operation, by iteration
   * @throws Failure if there is no result
   */
  double[] run(Case one, Variant variant) throws IOException, Failure {
    Path log = Files.createTempFile("cistern-bench", ".log");
    try {
      Collection<RunResult> results = new Runner(options(one, variant, log).build()).run();
      if (results.size() != 1) {
        throw new Failure(results.size() + " results", tail(log), null);
      }
      return nanos(results.iterator().next(), one);
    } catch (RunnerException failed) {
      throw new Failure(String.valueOf(failed.getMessage()), tail(log), failed);
    } finally {
      Files.delete(log);
    }
  }

  private ChainedOptionsBuilder options(Case one, Variant variant, Path log) {
    List<String> arguments = commonArguments(options);
    arguments.addAll(one.kind.jvmArguments());
    if (one.isPaired() && variant.side() == Variant.Side.OURS) {
      arguments.add(EventLoopThreads.OUR_WORKERS); // a benchmark's annotation overrides it
    }
    arguments.addAll(variant.jvmArguments(jdk.feature()));
    TimeValue time = TimeValue.milliseconds(one.iterationMillis(options));
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .include(
                "^"
                    + Pattern.quote(Fork.class.getPackageName() + "." + one.benchmark(variant))
                    + "$")
            .forks(forks)
            .warmupIterations(one.warmups(options))
            .warmupTime(time)
            .measurementIterations(one.iterations(options))
            .measurementTime(time)
            .timeUnit(TimeUnit.NANOSECONDS)
            .shouldFailOnError(true)
            .output(log.toString())
            .jvm(jdk.java())
            .jvmArgs(arguments.toArray(String[]::new));
    if (!one.isPaired()) { // the annotations of a pair set its threads
      builder.param("variant", variant.name()).threads(one.threads());
    }
    if (one.isByThroughput()) {
      builder.mode(Mode.Throughput);
    }
    one.parameters().forEach((name, value) -> builder.param(name, value));
    return builder;
  }

  private static double[] nanos(RunResult result, Case one) {
    String counter = one.counter();
    List<Double> nanos = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        Result<?> times =
            counter == null
                ? iteration.getPrimaryResult()
                : Objects.requireNonNull(iteration.getSecondaryResults().get(counter), counter);
        double score = times.getScore();
        nanos.add(one.isByThroughput() ? one.threads() / score : score);
      }
    }
    return nanos.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  /** A fork without a result. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String reason, String log, @Nullable Throwable cause) {
      super(reason + "\n" + log, cause);
    }
  }
}

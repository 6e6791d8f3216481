/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Runs the cases, prints the table and writes it: {@code <module directory> [options] [pattern]}.
 * The variants of a case run back to back, round by round. A change of the machine's speed
 * therefore affects all of them.
 */
public final class Bench {
  private static final int FAILED = 1;
  private static final int REFUSED = 2;
  private static final double NANOS_PER_MINUTE = 60e9;

  private final BenchOptions options;
  private final Jdk jdk;
  private final Fork fork;
  private final List<Measured> measured = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int forks;
  private int forksDone;

  private Bench(BenchOptions options, Jdk jdk) {
    this.options = options;
    this.jdk = jdk;
    this.fork = new Fork(options, jdk);
  }

  /**
   * Runs the benchmarks. The exit status of the process is 0 if all cases were measured (whatever
   * the outcome), 1 if a case could not be measured, and 2 if the arguments are invalid.
   *
   * @param arguments the directory of this module, then the options
   */
  public static void main(String... arguments) throws IOException {
    BenchOptions options;
    Bench bench;
    List<Case> cases;
    ResultFiles files;
    try {
      options = BenchOptions.parse(List.of(arguments).subList(1, arguments.length));
      bench = new Bench(options, Jdk.of(options.jdk()));
      cases = Cases.select(options);
      if (cases.isEmpty()) {
        throw new IllegalArgumentException(
            "no case matches pattern " + options.pattern() + "; --list shows all cases");
      }
      files = files(Path.of(arguments[0]), options, bench.jdk);
    } catch (IllegalArgumentException refused) {
      System.err.println("cistern bench: " + refused.getMessage());
      System.exit(REFUSED);
      return;
    }
    if (options.list()) {
      cases.forEach(one -> System.out.println(one.id));
    } else if (!bench.run(cases, files)) {
      System.exit(FAILED);
    }
  }

  /** Returns the result files. A publication for a chosen JDK has separate files. */
  private static ResultFiles files(Path module, BenchOptions options, Jdk jdk) {
    Topic topic = options.topic();
    if (topic == null || options.list()) {
      return ResultFiles.ofRun(module, "");
    }
    String end = options.jdk().isEmpty() ? "" : "-jdk" + jdk.feature();
    return ResultFiles.published(module, topic.label() + end, Environment.changedFiles());
  }

  private boolean run(List<Case> cases, ResultFiles files) throws IOException {
    List<Case> able = new ArrayList<>(cases);
    able.removeIf(this::skipped);
    forks = able.stream().mapToInt(one -> one.variants().size() * one.rounds(options)).sum();
    long begin = System.nanoTime();
    System.err.printf(
        Locale.ROOT, "%d cases, %d forks, %s%n", able.size(), forks, options.describe());
    Report report = new Report(files, options, jdk);
    for (Case one : able) {
      Measured result = measure(one);
      measured.add(result);
      report.write(measured, failures);
      System.err.print(Table.rows(result));
    }
    System.out.print(Table.of(measured));
    failures.forEach(failure -> System.out.println("not measured: " + failure));
    if (options.quick()) {
      System.out.println("a first look (--quick), not to be quoted");
    }
    System.out.printf(
        Locale.ROOT, "took %.1f min%n", (System.nanoTime() - begin) / NANOS_PER_MINUTE);
    System.out.println("written to " + files.table() + ", every iteration in the .json beside it");
    return failures.isEmpty();
  }

  private boolean skipped(Case one) {
    String missing = one.missing();
    if (missing != null) {
      System.out.println("skipped: " + one.id + ": " + missing);
      return true;
    }
    if (jdk.feature() >= one.minimumJdk()) {
      return false;
    }
    System.out.printf(
        Locale.ROOT,
        "skipped: %s needs a JDK %d or newer, this is %d (--jdk)%n",
        one.id,
        one.minimumJdk(),
        jdk.feature());
    return true;
  }

  private Measured measure(Case one) throws IOException {
    Measured result = new Measured(one);
    for (int round = 0; round < one.rounds(options); round++) {
      List<Variant> order = new ArrayList<>(one.variants());
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (Variant variant : order) {
        result.add(variant, iterations(one, variant, round));
      }
    }
    return result;
  }

  private double[] iterations(Case one, Variant variant, int round) throws IOException {
    forksDone++;
    String name =
        String.format(Locale.ROOT, "%s, %s, round %d", one.id, variant.label(), round + 1);
    try {
      double[] nanos = fork.run(one, variant);
      System.err.printf(
          Locale.ROOT,
          "[%d/%d] %s: %s ns%n",
          forksDone,
          forks,
          name,
          Estimate.ofTimes(List.of(nanos)).nanos());
      return nanos;
    } catch (Fork.Failure failure) {
      System.err.println(
          "[" + forksDone + "/" + forks + "] " + name + " failed: " + failure.getMessage());
      failures.add(
          name + ": " + String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
      return new double[0];
    }
  }
}

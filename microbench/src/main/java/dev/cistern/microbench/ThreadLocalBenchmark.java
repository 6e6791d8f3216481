/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.util.concurrent.FastThreadLocal;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Sums 16 thread-local variables, on the event-loop threads of each library, and on plain threads.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ThreadLocalBenchmark {
  private static final int VARIABLES = 16;

  /** The variables of Cistern. */
  @State(Scope.Thread)
  public static class Ours {
    private final FastThreadLocal<?>[] variables = new FastThreadLocal<?>[VARIABLES];

    /** Creates the variables and sets their values. */
    @Setup
    public void set() {
      for (int i = 0; i < VARIABLES; i++) {
        FastThreadLocal<Integer> variable = new FastThreadLocal<>();
        variable.set(i);
        variables[i] = variable;
      }
    }

    int sum() {
      int sum = 0;
      for (FastThreadLocal<?> variable : variables) {
        sum += (Integer) variable.get();
      }
      return sum;
    }
  }

  /** The variables of Netty. */
  @State(Scope.Thread)
  public static class Theirs {
    private final io.netty.util.concurrent.FastThreadLocal<?>[] variables =
        new io.netty.util.concurrent.FastThreadLocal<?>[VARIABLES];

    /** Creates the variables and sets their values. */
    @Setup
    public void set() {
      for (int i = 0; i < VARIABLES; i++) {
        var variable = new io.netty.util.concurrent.FastThreadLocal<Integer>();
        variable.set(i);
        variables[i] = variable;
      }
    }

    int sum() {
      int sum = 0;
      for (io.netty.util.concurrent.FastThreadLocal<?> variable : variables) {
        sum += (Integer) variable.get();
      }
      return sum;
    }
  }

  /** The variables of the JDK. */
  @State(Scope.Thread)
  public static class Jdks {
    private final ThreadLocal<?>[] variables = new ThreadLocal<?>[VARIABLES];

    /** Creates the variables and sets their values. */
    @Setup
    public void set() {
      for (int i = 0; i < VARIABLES; i++) {
        ThreadLocal<Integer> variable = new ThreadLocal<>();
        variable.set(i);
        variables[i] = variable;
      }
    }
  }

  /** Reads Cistern's variables on a thread of its event loops. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.OUR_WORKERS)
  public int getOnLoopOurs(Ours ours) {
    return ours.sum();
  }

  /** Reads Netty's variables on a thread of its event loops. */
  @Benchmark
  public int getOnLoopNetty(Theirs theirs) {
    return theirs.sum();
  }

  /** Reads Cistern's variables on a plain thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.PLAIN_WORKERS)
  public int getOnPlainOurs(Ours ours) {
    return ours.sum();
  }

  /** Reads Netty's variables on a plain thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.PLAIN_WORKERS)
  public int getOnPlainNetty(Theirs theirs) {
    return theirs.sum();
  }

  /** Reads the JDK's variables, for which the kind of thread does not matter. */
  @Benchmark
  public int getFromJdk(Jdks jdks) {
    int sum = 0;
    for (ThreadLocal<?> variable : jdks.variables) {
      sum += (Integer) variable.get();
    }
    return sum;
  }
}

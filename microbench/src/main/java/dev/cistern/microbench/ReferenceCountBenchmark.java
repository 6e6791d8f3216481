/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Retain and release with the base classes that both libraries offer for custom reference-counted
 * objects: by a single thread, and by two threads on the same object.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ReferenceCountBenchmark {
  private static final int DELAY_TOKENS = 10;

  private final Ours ours = new Ours();
  private final Theirs theirs = new Theirs();

  private static final class Ours extends dev.cistern.util.AbstractReferenceCounted {
    @Override
    protected void deallocate() {}

    @Override
    public dev.cistern.util.ReferenceCounted touch(@Nullable Object hint) {
      return this;
    }
  }

  private static final class Theirs extends io.netty.util.AbstractReferenceCounted {
    @Override
    protected void deallocate() {}

    @Override
    public io.netty.util.ReferenceCounted touch(@Nullable Object hint) {
      return this;
    }
  }

  /** Retains and releases in a single thread. */
  @Benchmark
  public boolean aloneOurs() {
    ours.retain();
    return ours.release();
  }

  /** Does the same as {@link #aloneOurs} with Netty. */
  @Benchmark
  public boolean aloneNetty() {
    theirs.retain();
    return theirs.release();
  }

  /** Retains and releases while another thread does the same. */
  @Benchmark
  @Threads(2)
  public boolean contendedOurs() {
    ours.retain();
    return ours.release();
  }

  /** Does the same as {@link #contendedOurs} with Netty. */
  @Benchmark
  @Threads(2)
  public boolean contendedNetty() {
    theirs.retain();
    return theirs.release();
  }

  /** Does the same as {@link #contendedOurs}, with some work in between. */
  @Benchmark
  @Threads(2)
  public boolean contendedWithWorkOurs() {
    ours.retain();
    Blackhole.consumeCPU(DELAY_TOKENS);
    return ours.release();
  }

  /** Does the same as {@link #contendedWithWorkOurs} with Netty. */
  @Benchmark
  @Threads(2)
  public boolean contendedWithWorkNetty() {
    theirs.retain();
    Blackhole.consumeCPU(DELAY_TOKENS);
    return theirs.release();
  }
}

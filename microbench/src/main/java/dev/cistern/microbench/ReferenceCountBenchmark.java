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
 * Retain and release of what both sides offer for objects of one's own (seed row I5): by one thread
 * alone, and by two on the same object.
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

  /** Alone. */
  @Benchmark
  public boolean aloneOurs() {
    ours.retain();
    return ours.release();
  }

  /** Alone. */
  @Benchmark
  public boolean aloneNetty() {
    theirs.retain();
    return theirs.release();
  }

  /** Against another thread. */
  @Benchmark
  @Threads(2)
  public boolean contendedOurs() {
    ours.retain();
    return ours.release();
  }

  /** Against another thread. */
  @Benchmark
  @Threads(2)
  public boolean contendedNetty() {
    theirs.retain();
    return theirs.release();
  }

  /** Against another thread, with some work in between. */
  @Benchmark
  @Threads(2)
  public boolean contendedWithWorkOurs() {
    ours.retain();
    Blackhole.consumeCPU(DELAY_TOKENS);
    return ours.release();
  }

  /** Against another thread, with some work in between. */
  @Benchmark
  @Threads(2)
  public boolean contendedWithWorkNetty() {
    theirs.retain();
    Blackhole.consumeCPU(DELAY_TOKENS);
    return theirs.release();
  }
}

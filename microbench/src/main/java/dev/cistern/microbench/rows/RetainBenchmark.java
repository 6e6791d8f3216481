/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Retains a buffer and, after some work, releases it: in a single thread, and in two threads that
 * share the buffer.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class RetainBenchmark {
  /** The work in between, in the tokens of {@link Blackhole#consumeCPU}. */
  @Param({"1", "10"})
  public int delay;

  private ByteBuf ours;
  private io.netty.buffer.ByteBuf theirs;

  /** Allocates the buffers. */
  @Setup
  public void allocate() {
    ours = Unpooled.buffer(1);
    theirs = io.netty.buffer.Unpooled.buffer(1);
  }

  /** Releases the buffers. */
  @TearDown
  public void release() {
    ours.release();
    theirs.release();
  }

  /** Retains and releases in a single thread. */
  @Benchmark
  public boolean aloneOurs() {
    return retainAndReleaseOurs();
  }

  /** Does the same as {@link #aloneOurs} with Netty. */
  @Benchmark
  public boolean aloneNetty() {
    return retainAndReleaseNetty();
  }

  /** Retains and releases while another thread does the same. */
  @Benchmark
  @Threads(2)
  public boolean contendedOurs() {
    return retainAndReleaseOurs();
  }

  /** Does the same as {@link #contendedOurs} with Netty. */
  @Benchmark
  @Threads(2)
  public boolean contendedNetty() {
    return retainAndReleaseNetty();
  }

  private boolean retainAndReleaseOurs() {
    ours.retain();
    Blackhole.consumeCPU(delay);
    return ours.release();
  }

  private boolean retainAndReleaseNetty() {
    theirs.retain();
    Blackhole.consumeCPU(delay);
    return theirs.release();
  }
}

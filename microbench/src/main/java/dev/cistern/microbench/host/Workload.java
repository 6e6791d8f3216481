/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import dev.cistern.microbench.BridgeReady;
import dev.cistern.microbench.Variant;
import io.netty.buffer.ByteBufAllocator;
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

/**
 * Something that an application on Netty does all the time, by the published Netty and its default
 * allocator. It knows nothing of the agent; only what is around it does, so that a run with the
 * agent does not measure Netty's own buffers.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public abstract class Workload {
  /** Bare, or with the agent in this JVM. */
  @Param("BARE")
  public Variant variant = Variant.BARE;

  /** Waits for the agent where it is there, and makes what is needed. */
  @Setup
  public final void setUp() throws Exception {
    awaitAgent();
    open();
  }

  /** One operation. */
  @Benchmark
  public int operation() throws Exception {
    return operate();
  }

  /** Gives back what {@link #setUp} made. */
  @TearDown
  public final void tearDown() throws Exception {
    close();
    awaitAgent(); // still serving
  }

  private void awaitAgent() {
    if (variant.bridged()) {
      BridgeReady.await(ByteBufAllocator.DEFAULT);
    }
  }

  /** Makes what operations need. */
  abstract void open() throws Exception;

  /** One operation; something that follows from all that it did. */
  abstract int operate() throws Exception;

  /** All that an operation brings forth, and the buffers that it goes through. */
  abstract void record(Outcome into) throws Exception;

  /** Gives back what {@link #open} made. */
  void close() throws Exception {}
}

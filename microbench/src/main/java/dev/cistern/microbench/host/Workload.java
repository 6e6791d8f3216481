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
 * A common operation of an application on Netty, with the published Netty and its default
 * allocator. The operation does not depend on the agent. The setup waits for the agent, so that a
 * run with the agent does not measure Netty's own buffers.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public abstract class Workload {
  /** The variant: bare, or with the agent in this JVM. */
  @Param("BARE")
  public Variant variant = Variant.BARE;

  /** Waits for the agent, if there is one, and creates the resources. */
  @Setup
  public final void setUp() throws Exception {
    awaitAgent();
    open();
  }

  /** Runs one operation. */
  @Benchmark
  public int operation() throws Exception {
    return operate();
  }

  /** Releases the resources. */
  @TearDown
  public final void tearDown() throws Exception {
    close();
    awaitAgent(); // check that the agent still serves
  }

  private void awaitAgent() {
    if (variant.bridged()) {
      BridgeReady.await(ByteBufAllocator.DEFAULT);
    }
  }

  /** Creates the resources that operations need. */
  abstract void open() throws Exception;

  /** Runs one operation. Returns a value that depends on all its work. */
  abstract int operate() throws Exception;

  /** Records all output of an operation, and the buffers that it uses. */
  abstract void record(Outcome into) throws Exception;

  /** Releases the resources that {@link #open} created. */
  void close() throws Exception {}
}

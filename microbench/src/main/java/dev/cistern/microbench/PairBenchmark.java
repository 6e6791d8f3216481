/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.BufferPool;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Allocate and release, same thread: ours against Netty 4.2's allocators at their best settings, on
 * the threads that an event loop has. Leak detection is off on all sides.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      EventLoopThreads.EXECUTOR,
      EventLoopThreads.EXECUTOR_CLASS,
      "-Xms1g",
      "-Xmx1g",
      "-Dio.netty.leakDetection.level=disabled",
      "-Dio.netty.allocator.useCacheForAllThreads=true",
      "-Dio.netty.allocator.type=pooled"
    })
@State(Scope.Thread)
public class PairBenchmark {
  /** What a pair is asked of, by code that knows only Netty. */
  @State(Scope.Benchmark)
  public static class Peer {
    /** The peer: Netty's allocators, each at its best setting. */
    @Param({"pooled", "adaptive"})
    public String peer;

    ByteBufAllocator allocator;

    /** Makes the allocator. */
    @Setup
    public void setUp() {
      allocator = allocator(peer);
    }
  }

  /** Netty's pooled allocator, in a JVM that runs with the agent. */
  @State(Scope.Benchmark)
  public static class Bridge {
    ByteBufAllocator allocator;

    /** Makes the allocator and proves that the agent serves it. */
    @Setup
    public void setUp() {
      allocator = allocator("pooled");
      BridgeReady.await(allocator);
    }
  }

  /** Our library's own allocator. */
  @State(Scope.Benchmark)
  public static class Library {
    dev.cistern.buffer.ByteBufAllocator allocator;

    /** Makes the allocator. */
    @Setup
    public void setUp() {
      allocator = new dev.cistern.buffer.PooledByteBufAllocator(true);
    }
  }

  /** The engine under a buffer of the least possible work. */
  @State(Scope.Benchmark)
  public static class Engine {
    /** Kind of memory. */
    @Param({"DIRECT"})
    public MemoryKind kind;

    BufferPool pool;

    /** Makes the pool. */
    @Setup
    public void setUp() {
      pool =
          BufferPool.builder(
                  kind,
                  kind == MemoryKind.DIRECT ? new DirectMemorySource() : new HeapMemorySource(),
                  CountedSlot.BINDER)
              .build();
    }
  }

  /** Size asked for, in bytes. */
  @Param({"64", "1024", "8192", "65536", "1048576"})
  public int size;

  private static ByteBufAllocator allocator(String name) {
    return switch (name) {
      case "pooled" -> new PooledByteBufAllocator(true);
      case "adaptive" -> new AdaptiveByteBufAllocator(true, true);
      default -> throw new IllegalArgumentException("peer: " + name);
    };
  }

  /** Netty's own. */
  @Benchmark
  public boolean netty(Peer peer) {
    ByteBuf buffer = peer.allocator.directBuffer(size);
    return buffer.release();
  }

  /** Ours, called directly. */
  @Benchmark
  public boolean library(Library library) {
    dev.cistern.buffer.ByteBuf buffer = library.allocator.directBuffer(size);
    return buffer.release();
  }

  /** The engine alone. */
  @Benchmark
  public boolean engine(Engine engine) {
    CountedSlot slot = (CountedSlot) engine.pool.allocate(size);
    slot.reuse();
    return slot.release();
  }

  /** Netty's pooled allocator with our pool under it. */
  @Benchmark
  @Fork(
      value = 1,
      jvmArgsAppend = {
        EventLoopThreads.EXECUTOR,
        EventLoopThreads.EXECUTOR_CLASS,
        "-Xms1g",
        "-Xmx1g",
        "-Dio.netty.leakDetection.level=disabled",
        "-Dio.netty.allocator.type=pooled",
        Ratios.AGENT
      })
  public boolean bridge(Bridge bridge) {
    ByteBuf buffer = bridge.allocator.directBuffer(size);
    return buffer.release();
  }
}

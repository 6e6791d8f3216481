/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Takes an object from a recycler and returns it, on the event-loop threads of each library, and on
 * plain threads. The cost of the object matters only to a recycler that creates a new one each
 * time, as Netty's does on plain threads.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RecyclerBenchmark {
  /** The size of an array that each object holds, in bytes. */
  @Param({"0", "1024"})
  public int payload;

  /** The array size, which the constructors of the objects read. */
  private static int payloadOfAll;

  private static final dev.cistern.util.Recycler<Ours> OURS =
      new dev.cistern.util.Recycler<>() {
        @Override
        protected Ours newObject(dev.cistern.util.Recycler.Handle<Ours> handle) {
          return new Ours(handle);
        }
      };

  private static final io.netty.util.Recycler<Theirs> THEIRS =
      new io.netty.util.Recycler<>() {
        @Override
        protected Theirs newObject(io.netty.util.Recycler.Handle<Theirs> handle) {
          return new Theirs(handle);
        }
      };

  /** A recyclable object of Cistern. */
  public static final class Ours {
    private final dev.cistern.util.Recycler.Handle<Ours> handle;

    /** The content that makes recycling worthwhile. */
    public final byte[] bytes = new byte[payloadOfAll];

    Ours(dev.cistern.util.Recycler.Handle<Ours> handle) {
      this.handle = handle;
    }

    void recycle() {
      handle.recycle(this);
    }
  }

  /** A recyclable object of Netty. */
  public static final class Theirs {
    private final io.netty.util.Recycler.Handle<Theirs> handle;

    /** The content that makes recycling worthwhile. */
    public final byte[] bytes = new byte[payloadOfAll];

    Theirs(io.netty.util.Recycler.Handle<Theirs> handle) {
      this.handle = handle;
    }

    void recycle() {
      handle.recycle(this);
    }
  }

  /** Sets the array size for the constructors. */
  @Setup
  public void setPayload() {
    payloadOfAll = payload;
  }

  /** Recycles with Cistern, on a thread of its event loops. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.OUR_WORKERS)
  public Object getOnLoopOurs() {
    Ours object = OURS.get();
    object.recycle();
    return object;
  }

  /** Recycles with Netty, on a thread of its event loops. */
  @Benchmark
  public Object getOnLoopNetty() {
    Theirs object = THEIRS.get();
    object.recycle();
    return object;
  }

  /** Recycles with Cistern, on a plain thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.PLAIN_WORKERS)
  public Object getOnPlainOurs() {
    Ours object = OURS.get();
    object.recycle();
    return object;
  }

  /** Recycles with Netty, on a plain thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.PLAIN_WORKERS)
  public Object getOnPlainNetty() {
    Theirs object = THEIRS.get();
    object.recycle();
    return object;
  }
}

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
 * Get an object and give it back (seed row I3), on each side's own kind of thread, and on a plain
 * one. What the object costs matters only to a recycler that makes a new one each time, as Netty's
 * does on plain threads.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RecyclerBenchmark {
  /** Bytes of an array that each object has. */
  @Param({"0", "1024"})
  public int payload;

  /** Read by whoever makes an object. */
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

  /** An object that gives itself back. */
  public static final class Ours {
    private final dev.cistern.util.Recycler.Handle<Ours> handle;

    /** What makes it worth keeping. */
    public final byte[] bytes = new byte[payloadOfAll];

    Ours(dev.cistern.util.Recycler.Handle<Ours> handle) {
      this.handle = handle;
    }

    void recycle() {
      handle.recycle(this);
    }
  }

  /** An object that gives itself back. */
  public static final class Theirs {
    private final io.netty.util.Recycler.Handle<Theirs> handle;

    /** What makes it worth keeping. */
    public final byte[] bytes = new byte[payloadOfAll];

    Theirs(io.netty.util.Recycler.Handle<Theirs> handle) {
      this.handle = handle;
    }

    void recycle() {
      handle.recycle(this);
    }
  }

  /** Tells those who make objects. */
  @Setup
  public void setPayload() {
    payloadOfAll = payload;
  }

  /** On our kind of thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.OUR_WORKERS)
  public Object getOnLoopOurs() {
    Ours object = OURS.get();
    object.recycle();
    return object;
  }

  /** On Netty's kind of thread. */
  @Benchmark
  public Object getOnLoopNetty() {
    Theirs object = THEIRS.get();
    object.recycle();
    return object;
  }

  /** On a plain thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.PLAIN_WORKERS)
  public Object getOnPlainOurs() {
    Ours object = OURS.get();
    object.recycle();
    return object;
  }

  /** On a plain thread. */
  @Benchmark
  @Fork(jvmArgsAppend = EventLoopThreads.PLAIN_WORKERS)
  public Object getOnPlainNetty() {
    Theirs object = THEIRS.get();
    object.recycle();
    return object;
  }
}

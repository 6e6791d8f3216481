/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.util.internal.OutputList;
import io.netty.handler.codec.NettyOutputList;
import io.netty.util.internal.RecyclableArrayList;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Adds some messages to the output list of a decoder, then clears the list. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class OutputListBenchmark {
  private static final Object MESSAGE = new Object();

  /** The number of messages. */
  @Param({"1", "4"})
  public int elements;

  private final OutputList ours = OutputList.newInstance();
  private final NettyOutputList theirs = new NettyOutputList();
  private final RecyclableArrayList theirArrayList = RecyclableArrayList.newInstance(16);
  private final ArrayList<Object> jdks = new ArrayList<>(16);

  /** Recycles the lists. */
  @TearDown
  public void recycle() {
    ours.recycle();
    theirs.recycle();
    theirArrayList.recycle();
  }

  /** Uses Cistern's list. */
  @Benchmark
  public boolean addAndClearOurs() {
    for (int i = 0; i < elements; i++) {
      ours.add(MESSAGE);
    }
    boolean inserted = ours.insertSinceRecycled();
    ours.clear();
    return inserted;
  }

  /** Uses Netty's list for decoders. */
  @Benchmark
  public boolean addAndClearNetty() {
    for (int i = 0; i < elements; i++) {
      theirs.add(MESSAGE);
    }
    boolean inserted = theirs.insertSinceRecycled();
    theirs.clear();
    return inserted;
  }

  /** Uses Netty's older list, which is still available. */
  @Benchmark
  public boolean addAndClearNettyArrayList() {
    for (int i = 0; i < elements; i++) {
      theirArrayList.add(MESSAGE);
    }
    boolean inserted = theirArrayList.insertSinceRecycled();
    theirArrayList.clear();
    return inserted;
  }

  /** Uses the JDK's list. */
  @Benchmark
  public boolean addAndClearJdk() {
    for (int i = 0; i < elements; i++) {
      jdks.add(MESSAGE);
    }
    boolean inserted = !jdks.isEmpty();
    jdks.clear();
    return inserted;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.buffer.UnpooledByteBufAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Buffers that are not pooled, allocated and released (row I9): direct memory with a cleaner, which
 * is zeroed, and without; arrays.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class UnpooledBenchmark {
  private static final MethodHandle INVOKE_CLEANER = invokeCleaner();

  /** Capacity of a buffer. */
  @Param({"1024", "65536"})
  public int bytes;

  private final UnpooledByteBufAllocator ours = new UnpooledByteBufAllocator(true, true);
  private final UnpooledByteBufAllocator oursWithCleaner =
      new UnpooledByteBufAllocator(true, true, false);
  private final io.netty.buffer.UnpooledByteBufAllocator theirs =
      new io.netty.buffer.UnpooledByteBufAllocator(true, true);
  private final io.netty.buffer.UnpooledByteBufAllocator theirsWithCleaner =
      new io.netty.buffer.UnpooledByteBufAllocator(true, true, false);

  /** By reflection: nothing silences the warnings of newer compilers about sun.misc.Unsafe. */
  private static MethodHandle invokeCleaner() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      MethodType signature = MethodType.methodType(void.class, ByteBuffer.class);
      return MethodHandles.lookup()
          .findVirtual(type, "invokeCleaner", signature)
          .bindTo(field.get(null));
    } catch (ReflectiveOperationException unavailable) {
      throw new IllegalStateException(unavailable);
    }
  }

  /** Direct memory without a cleaner. */
  @Benchmark
  public boolean withoutCleanerOurs() {
    return ours.directBuffer(bytes, bytes).release();
  }

  /** Direct memory without a cleaner. */
  @Benchmark
  public boolean withoutCleanerNetty() {
    return theirs.directBuffer(bytes, bytes).release();
  }

  /** Direct memory with a cleaner. */
  @Benchmark
  public boolean withCleanerOurs() {
    return oursWithCleaner.directBuffer(bytes, bytes).release();
  }

  /** Direct memory with a cleaner. */
  @Benchmark
  public boolean withCleanerNetty() {
    return theirsWithCleaner.directBuffer(bytes, bytes).release();
  }

  /** Direct memory with a cleaner, freed by the only way there is. */
  @Benchmark
  public int withCleanerJdk() throws Throwable {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    int capacity = buffer.capacity();
    INVOKE_CLEANER.invokeExact(buffer);
    return capacity;
  }

  /** An array; Netty's is not zeroed where the JVM allows that. */
  @Benchmark
  public Object arrayOurs() {
    var buffer = ours.heapBuffer(bytes, bytes);
    Object array = buffer.array();
    buffer.release();
    return array;
  }

  /** As {@link #arrayOurs}. */
  @Benchmark
  public Object arrayNetty() {
    var buffer = theirs.heapBuffer(bytes, bytes);
    Object array = buffer.array();
    buffer.release();
    return array;
  }

  /** As {@link #arrayOurs}. */
  @Benchmark
  public Object arrayJdk() {
    return new byte[bytes];
  }
}

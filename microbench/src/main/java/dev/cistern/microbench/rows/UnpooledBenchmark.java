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
 * Allocates and releases unpooled buffers: direct memory with a cleaner, which is zeroed, direct
 * memory without a cleaner, and arrays.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class UnpooledBenchmark {
  private static final MethodHandle INVOKE_CLEANER = invokeCleaner();

  /** The capacity of a buffer. */
  @Param({"1024", "65536"})
  public int bytes;

  private final UnpooledByteBufAllocator ours = new UnpooledByteBufAllocator(true, true);
  private final UnpooledByteBufAllocator oursWithCleaner =
      new UnpooledByteBufAllocator(true, true, false);
  private final io.netty.buffer.UnpooledByteBufAllocator theirs =
      new io.netty.buffer.UnpooledByteBufAllocator(true, true);
  private final io.netty.buffer.UnpooledByteBufAllocator theirsWithCleaner =
      new io.netty.buffer.UnpooledByteBufAllocator(true, true, false);

  /**
   * Returns the method that runs a cleaner. It uses reflection because newer compilers issue a
   * warning about sun.misc.Unsafe that cannot be suppressed.
   */
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

  /** Uses direct memory without a cleaner. */
  @Benchmark
  public boolean withoutCleanerOurs() {
    return ours.directBuffer(bytes, bytes).release();
  }

  /** Does the same as {@link #withoutCleanerOurs} with Netty. */
  @Benchmark
  public boolean withoutCleanerNetty() {
    return theirs.directBuffer(bytes, bytes).release();
  }

  /** Uses direct memory with a cleaner. */
  @Benchmark
  public boolean withCleanerOurs() {
    return oursWithCleaner.directBuffer(bytes, bytes).release();
  }

  /** Does the same as {@link #withCleanerOurs} with Netty. */
  @Benchmark
  public boolean withCleanerNetty() {
    return theirsWithCleaner.directBuffer(bytes, bytes).release();
  }

  /** Does the same with the JDK, and frees the memory in the only available way. */
  @Benchmark
  public int withCleanerJdk() throws Throwable {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    int capacity = buffer.capacity();
    INVOKE_CLEANER.invokeExact(buffer);
    return capacity;
  }

  /** Uses an array; Netty's is not zeroed if the JVM allows that. */
  @Benchmark
  public Object arrayOurs() {
    var buffer = ours.heapBuffer(bytes, bytes);
    Object array = buffer.array();
    buffer.release();
    return array;
  }

  /** Does the same as {@link #arrayOurs} with Netty. */
  @Benchmark
  public Object arrayNetty() {
    var buffer = theirs.heapBuffer(bytes, bytes);
    Object array = buffer.array();
    buffer.release();
    return array;
  }

  /** Does the same as {@link #arrayOurs} with the JDK. */
  @Benchmark
  public Object arrayJdk() {
    return new byte[bytes];
  }
}

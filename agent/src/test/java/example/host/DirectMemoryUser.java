/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import sun.misc.Unsafe;

/**
 * Uses direct memory by Netty, releases it, and then takes all that the JVM gives by {@code
 * ByteBuffer.allocateDirect}. Arguments: the limit in MiB, {@code served} or {@code bare}.
 */
public final class DirectMemoryUser {
  private static final int MIB = 1 << 20;
  private static final int[] SIZES = {64 << 10, MIB, 4 * MIB, 8 * MIB};
  private static final int[] THREADS = {0, 4};
  private static final int ROUNDS = 3;

  /** What the host asks for at a time. */
  private static final int PIECE = 256 << 10;

  /** Netty's part of the limit, in tenths. */
  private static final int NETTY_TENTHS = 7;

  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final long limit;
  private final Unsafe unsafe;

  private DirectMemoryUser(long limit) throws ReflectiveOperationException {
    this.limit = limit;
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    this.unsafe = (Unsafe) field.get(null);
  }

  /** Prints a line for each size of buffer and number of threads. */
  public static void main(String[] arguments) throws Exception {
    DirectMemoryUser user = new DirectMemoryUser(Long.parseLong(arguments[0]) * MIB);
    user.awaitService(arguments[1].equals("served"));
    for (int threads : THREADS) {
      for (int size : SIZES) {
        user.measure(size, threads);
      }
    }
    System.out.println("done");
  }

  private void awaitService(boolean isServed) {
    ByteBuf first = allocator.directBuffer(16);
    while (isServed && first.getClass().getName().contains("netty")) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      first.release();
      first = allocator.directBuffer(16);
    }
    first.release();
  }

  private void measure(int size, int threads) throws InterruptedException {
    long leastBytes = Long.MAX_VALUE;
    long leastNanos = Long.MAX_VALUE;
    long leastCollections = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      CountDownLatch end = new CountDownLatch(1);
      useNetty(size, threads, end);
      long collections = collections();
      long slowest = 0;
      List<ByteBuffer> taken = new ArrayList<>();
      try {
        for (; ; ) {
          long start = System.nanoTime();
          ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
          slowest = Math.max(slowest, System.nanoTime() - start);
          taken.add(piece);
        }
      } catch (OutOfMemoryError full) {
        leastBytes = Math.min(leastBytes, (long) taken.size() * PIECE);
      }
      leastNanos = Math.min(leastNanos, slowest);
      leastCollections = Math.min(leastCollections, collections() - collections);
      taken.forEach(unsafe::invokeCleaner);
      end.countDown();
    }
    System.out.printf(
        "threads %d size %d KiB: got %d KiB, slowest call %d us, collections %d%n",
        threads, size >> 10, leastBytes >> 10, leastNanos / 1000, leastCollections);
  }

  /** On threads that sleep until {@code end} afterwards; on the calling one if there is none. */
  private void useNetty(int size, int threads, CountDownLatch end) throws InterruptedException {
    long bytes = limit * NETTY_TENTHS / 10 / Math.max(1, threads);
    if (threads == 0) {
      allocateAndRelease(size, bytes);
      return;
    }
    CountDownLatch done = new CountDownLatch(threads);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker =
          new Thread(
              () -> {
                allocateAndRelease(size, bytes);
                done.countDown();
                await(end);
              });
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    done.await();
    for (Thread worker : workers) {
      while (worker.getState() != Thread.State.WAITING) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
      }
    }
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void allocateAndRelease(int size, long bytes) {
    List<ByteBuf> buffers = new ArrayList<>();
    try {
      for (long sum = size; sum <= bytes; sum += size) {
        buffers.add(allocator.directBuffer(size));
      }
    } catch (OutOfMemoryError full) {
      System.err.println("Netty's part does not fit: " + full);
    }
    buffers.forEach(ByteBuf::release);
  }

  private static long collections() {
    long sum = 0;
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      sum += bean.getCollectionCount();
    }
    return sum;
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that uses direct memory through Netty's pool, releases it, and then allocates all
 * direct memory in another way. Arguments: the limit in MiB; {@code served} or {@code bare}; {@code
 * jvm} for {@code ByteBuffer.allocateDirect} or {@code netty} for Netty's unpooled buffers; and
 * numbers of threads.
 */
public final class DirectMemoryUser {
  private static final int MIB = 1 << 20;

  /** Names of the full collectors of G1 and of the serial collector. */
  private static final Set<String> FULL_COLLECTORS =
      Set.of("G1 Old Generation", "MarkSweepCompact");

  private static final int[] SIZES = {64 << 10, MIB, 4 * MIB, 8 * MIB};

  /** Bytes of one request of the host. */
  private static final int PIECE = 256 << 10;

  /** Netty's share of the limit, in tenths. */
  private static final int NETTY_TENTHS = 7;

  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final long limit;
  private final boolean takesFromNetty;

  private DirectMemoryUser(long limit, boolean takesFromNetty) {
    this.limit = limit;
    this.takesFromNetty = takesFromNetty;
  }

  /** Prints a line for each size of buffer and number of threads. */
  public static void main(String[] arguments) throws Exception {
    DirectMemoryUser user =
        new DirectMemoryUser(Long.parseLong(arguments[0]) * MIB, arguments[2].equals("netty"));
    user.awaitService(arguments[1].equals("served"));
    for (int i = 3; i < arguments.length; i++) {
      for (int size : SIZES) {
        user.measure(size, Integer.parseInt(arguments[i]));
      }
    }
    System.out.println("done");
  }

  private void awaitService(boolean isServed) {
    ByteBuf first = allocator.directBuffer(16);
    while (isServed && !Bare.className(first).startsWith("dev.cistern.")) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      first.release();
      first = allocator.directBuffer(16);
    }
    first.release();
  }

  private void measure(int size, int threads) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    useNetty(size, threads, end);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(150)); // a separate request
    long collections = collections();
    long slowestNanos = 0;
    List<Object> taken = new ArrayList<>();
    try {
      for (; ; ) {
        long start = System.nanoTime();
        Object piece = take();
        slowestNanos = Math.max(slowestNanos, System.nanoTime() - start);
        taken.add(piece);
      }
    } catch (OutOfMemoryError full) {
      System.out.printf(
          "threads %d size %d KiB: got %d KiB, slowest call %d us, collections %d%n",
          threads,
          size >> 10,
          (taken.size() * (long) PIECE) >> 10,
          slowestNanos / 1000,
          collections() - collections);
    }
    taken.forEach(this::free);
    end.countDown();
  }

  private Object take() {
    return takesFromNetty ? Unpooled.directBuffer(PIECE) : ByteBuffer.allocateDirect(PIECE);
  }

  private void free(Object taken) {
    if (taken instanceof ByteBuf buffer) {
      buffer.release();
    } else {
      RawMemory.clean((ByteBuffer) taken);
    }
  }

  /**
   * Uses buffers on new threads that then sleep until {@code end}, or on the calling thread if the
   * number of threads is 0.
   */
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

  /** Returns the number of full collections, which the JVM starts when direct memory is short. */
  private static long collections() {
    long sum = 0;
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (FULL_COLLECTORS.contains(bean.getName())) {
        sum += bean.getCollectionCount();
      }
    }
    return sum;
  }
}

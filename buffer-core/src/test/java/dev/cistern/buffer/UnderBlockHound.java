/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/**
 * A program in which threads that must not block and ordinary threads compete for the locks of one
 * pool, while BlockHound detects blocking calls.
 */
final class UnderBlockHound {
  private static final int THREADS = 4;
  private static final int LARGE_BYTES = 6 << 20;
  private static final int SMALL_BYTES = 60_000;
  private static final int MAX_HANDED_OVER = 20;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(40);

  private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
  private static final Queue<ByteBuf> HANDED_OVER = new ConcurrentLinkedQueue<>();
  private static final Queue<Throwable> ERRORS = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger VIOLATIONS = new AtomicInteger();

  private UnderBlockHound() {}

  /** A thread that BlockHound does not permit to block. */
  private static final class NonBlockingThread extends Thread {
    NonBlockingThread(Runnable work) {
      super(work);
    }
  }

  /**
   * Runs the threads.
   *
   * @param arguments the number of allocations of each thread; {@code late} to install BlockHound
   *     after the first use of the pool
   */
  public static void main(String[] arguments) throws InterruptedException {
    int rounds = Integer.parseInt(arguments[0]);
    if (arguments[1].equals("late")) {
      runThreads(rounds / 10);
    }
    BlockHound.install(
        builder ->
            builder
                .nonBlockingThreadPredicate(
                    others -> others.or(thread -> thread instanceof NonBlockingThread))
                .blockingMethodCallback(
                    method -> {
                      VIOLATIONS.incrementAndGet();
                      throw new BlockingOperationError(method);
                    }));
    expectRefusals(2); // by a thread that waits without permission
    runThreads(rounds);
    // No more from the pool, and the permissions are revoked.
    expectRefusals(4);
    for (ByteBuf left = HANDED_OVER.poll(); left != null; left = HANDED_OVER.poll()) {
      left.release();
    }
    ALLOCATOR.trimCurrentThreadCache();
    expect(ERRORS.isEmpty(), "errors: " + ERRORS);
    System.out.println("as expected");
    System.exit(0);
  }

  private static void expectRefusals(int soFar) throws InterruptedException {
    Thread refused =
        new NonBlockingThread(
            () -> {
              for (int i = 0; i < 2; i++) {
                try {
                  LockSupport.parkNanos(1);
                } catch (BlockingOperationError expected) {
                  ALLOCATOR.directBuffer(LARGE_BYTES).release();
                }
              }
            });
    refused.start();
    refused.join();
    expect(VIOLATIONS.get() == soFar, "refusals: " + VIOLATIONS + " (expected: " + soFar + ")");
  }

  private static void runThreads(int rounds) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(new NonBlockingThread(() -> work(rounds)));
      threads.add(new Thread(() -> work(rounds)));
    }
    for (Thread thread : threads) {
      thread.setDaemon(true);
      thread.start();
    }
    long deadline = System.nanoTime() + LIMIT_NANOS;
    for (Thread thread : threads) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      thread.join(Math.max(1, leftMillis));
      expect(!thread.isAlive(), "hangs: " + List.of(thread.getStackTrace()));
    }
  }

  private static void work(int rounds) {
    ByteBuf[] kept = new ByteBuf[2];
    for (int round = 0; round < rounds; round++) {
      try {
        int place = round & 1;
        ByteBuf before = kept[place];
        kept[place] =
            ALLOCATOR.directBuffer((round % 3 == 0 ? SMALL_BYTES : LARGE_BYTES) - round % 5 * 1000);
        kept[place].writeLong(round);
        release(before, round);
        ByteBuf other = round % 4 == 3 ? HANDED_OVER.poll() : null;
        release(other, 1);
      } catch (Throwable failure) {
        ERRORS.add(failure);
      }
    }
    release(kept[0], 1);
    release(kept[1], 1);
  }

  private static void release(ByteBuf buffer, int round) {
    if (buffer == null) {
      return;
    }
    if (round % 8 == 0 && HANDED_OVER.size() < MAX_HANDED_OVER) {
      HANDED_OVER.add(buffer);
    } else {
      buffer.release();
    }
  }

  private static void expect(boolean holds, String otherwise) {
    if (!holds) {
      System.out.println(otherwise);
      System.out.println("errors: " + ERRORS);
      System.exit(1);
    }
  }
}

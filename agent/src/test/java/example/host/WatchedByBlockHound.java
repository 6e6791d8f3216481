/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/**
 * A host that BlockHound watches. Threads of Netty, which must not block, and ordinary threads
 * compete for the locks of a pool. Netty's own integration defines which threads must not block.
 */
public final class WatchedByBlockHound {
  private static final int THREADS = 4;
  private static final int LARGE_BYTES = 6 << 20;
  private static final int SMALL_BYTES = 60_000;
  private static final int MAX_HANDED_OVER = 20;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_MILLIS = 5;

  private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
  private static final Queue<ByteBuf> HANDED_OVER = new ConcurrentLinkedQueue<>();
  private static final Queue<Throwable> ERRORS = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger VIOLATIONS = new AtomicInteger();

  private WatchedByBlockHound() {}

  /**
   * Runs the threads.
   *
   * @param arguments number of allocations of each thread; {@code late} to install BlockHound only
   *     after the first use of the pool, otherwise {@code early}; {@code gate} to start once the
   *     agent waits for the first buffer; {@code swap} to continue once the pool serves
   */
  public static void main(String[] arguments) throws Exception {
    List<String> all = List.of(arguments);
    int rounds = Integer.parseInt(arguments[0]);
    if (all.contains("early")) {
      install();
    }
    if (all.contains("gate")) {
      FirstBuffers.awaitGate(ALLOCATOR);
    }
    onEventLoop(() -> System.out.println("first " + typeOfBuffer()));
    if (all.contains("swap")) {
      awaitPool();
    }
    if (all.contains("late")) {
      runThreads(rounds / 10);
      install();
    }
    onEventLoop(WatchedByBlockHound::expectRefusal);
    runThreads(rounds);
    onEventLoop(WatchedByBlockHound::expectRefusal);
    for (ByteBuf left = HANDED_OVER.poll(); left != null; left = HANDED_OVER.poll()) {
      left.release();
    }
    onEventLoop(() -> System.out.println("last " + typeOfBuffer()));
    System.out.println("violations " + VIOLATIONS);
    System.out.println("errors " + ERRORS);
    ERRORS.forEach(Throwable::printStackTrace);
  }

  private static void install() {
    BlockHound.install(
        builder ->
            builder.blockingMethodCallback(
                method -> {
                  VIOLATIONS.incrementAndGet();
                  throw new BlockingOperationError(method);
                }));
  }

  private static void onEventLoop(Runnable work) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Thread loop =
        new FastThreadLocalThread(
            () -> {
              try {
                work.run();
              } catch (Throwable failure) {
                ERRORS.add(failure);
              } finally {
                done.countDown();
              }
            });
    loop.setDaemon(true);
    loop.start();
    done.await();
  }

  /** Checks that BlockHound is active: it refuses a wait without permission. */
  private static void expectRefusal() {
    try {
      LockSupport.parkNanos(1);
    } catch (BlockingOperationError expected) {
      System.out.println("refused");
    }
  }

  private static String typeOfBuffer() {
    ByteBuf buffer = ALLOCATOR.directBuffer(100);
    String type = Bare.className(buffer);
    buffer.release();
    return type;
  }

  private static void awaitPool() throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (!typeOfBuffer().startsWith("dev.cistern.")) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the pool does not serve");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static void runThreads(int rounds) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(new FastThreadLocalThread(() -> work(rounds)));
      threads.add(new Thread(() -> work(rounds)));
    }
    for (Thread thread : threads) {
      thread.setDaemon(true);
      thread.start();
    }
    long deadline = System.nanoTime() + LIMIT_NANOS;
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      if (thread.isAlive()) {
        System.out.println("hangs " + List.of(thread.getStackTrace()));
        System.exit(1);
      }
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
        release(round % 4 == 3 ? HANDED_OVER.poll() : null, 1);
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
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** A host that reads the metrics of its allocators, and prints whether they are consistent. */
public final class Gauges {
  private static final int MIB = 1 << 20;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PooledByteBufAllocator first = PooledByteBufAllocator.DEFAULT;
  private final PooledByteBufAllocator second = new PooledByteBufAllocator(true);
  private final AdaptiveByteBufAllocator adaptive = new AdaptiveByteBufAllocator();

  private Gauges() {}

  /**
   * Reads the metrics.
   *
   * @param arguments {@code swap}: wait until the pool serves; {@code limit}: use up all direct
   *     memory
   */
  public static void main(String[] arguments) throws Exception {
    Gauges gauges = new Gauges();
    if (List.of(arguments).contains("swap")) {
      gauges.waitForSwap();
    }
    gauges.watch("direct", gauges::usedDirect, gauges::pinnedDirect, true);
    gauges.watch("heap", gauges::usedHeap, gauges::pinnedHeap, false);
    gauges.watchTrim();
    gauges.cost();
    if (List.of(arguments).contains("limit")) {
      gauges.useUp();
    }
    System.out.println("done");
  }

  private void waitForSwap() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - deadline < 0) {
      ByteBuf buffer = first.directBuffer(16);
      boolean foreign = Bare.className(buffer).startsWith("dev.cistern.");
      buffer.release();
      if (foreign) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    System.out.println("class not served");
  }

  private long usedDirect() {
    return List.<ByteBufAllocatorMetricProvider>of(first, second, adaptive).stream()
        .mapToLong(each -> each.metric().usedDirectMemory())
        .sum();
  }

  private long usedHeap() {
    return List.<ByteBufAllocatorMetricProvider>of(first, second, adaptive).stream()
        .mapToLong(each -> each.metric().usedHeapMemory())
        .sum();
  }

  private long pinnedDirect() {
    return first.pinnedDirectMemory() + second.pinnedDirectMemory();
  }

  private long pinnedHeap() {
    return first.pinnedHeapMemory() + second.pinnedHeapMemory();
  }

  private void watch(String kind, LongSupplier used, LongSupplier pinned, boolean direct) {
    ByteBuf warm = direct ? second.directBuffer(64) : second.heapBuffer(64);
    long usedBefore = used.getAsLong();
    long pinnedBefore = pinned.getAsLong();
    ByteBuf large = direct ? second.directBuffer(20 * MIB) : second.heapBuffer(20 * MIB);
    System.out.println(kind + " used grows " + isAbout(used.getAsLong() - usedBefore, 20));
    System.out.println(kind + " pinned grows " + isAbout(pinned.getAsLong() - pinnedBefore, 20));
    String shown = String.valueOf(first.metric());
    System.out.println(
        kind + " shown " + shown.contains("" + (direct ? firstDirect() : firstHeap())));
    large.release();
    System.out.println(kind + " pinned shrinks " + (pinned.getAsLong() == pinnedBefore));
    warm.release();
    System.out.println(kind + " caches " + (numCaches() > 0));
  }

  private long firstDirect() {
    return first.metric().usedDirectMemory();
  }

  private long firstHeap() {
    return first.metric().usedHeapMemory();
  }

  private int numCaches() {
    return first.metric().numThreadLocalCaches() + second.metric().numThreadLocalCaches();
  }

  private static boolean isAbout(long bytes, int mib) {
    return bytes >= (long) mib * MIB && bytes <= (mib + 5L) * MIB;
  }

  private void watchTrim() throws InterruptedException {
    Thread idle = new Thread(() -> System.out.println("trims " + second.trimCurrentThreadCache()));
    idle.start();
    idle.join();
    Thread busy =
        new Thread(
            () -> {
              second.directBuffer(1024).release();
              System.out.println("trims served " + trims());
            });
    busy.start();
    busy.join();
  }

  /**
   * Returns whether a trim found a cache. Netty alone caches only in some threads; the pool caches
   * in this thread.
   */
  private String trims() {
    boolean trimmed = second.trimCurrentThreadCache();
    ByteBuf buffer = second.directBuffer(1024);
    boolean foreign = Bare.className(buffer).startsWith("dev.cistern.");
    buffer.release();
    return foreign ? "" + trimmed : "true";
  }

  /** Prints the cost of the metrics, which differs from run to run. */
  private void cost() {
    long sum = 0;
    for (int round = 0; round < 3; round++) {
      int calls = 20_000;
      long start = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        sum += first.metric().usedDirectMemory();
      }
      long middle = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        sum += first.pinnedDirectMemory();
      }
      long end = System.nanoTime();
      System.out.println(
          "class cost used " + (middle - start) / calls + " pinned " + (end - middle) / calls);
    }
    System.out.println("class sum " + sum);
  }

  /** Allocates pooled and unpooled memory in turn until no memory is left. */
  private void useUp() {
    List<ByteBufAllocator> allocators = List.of(first, new UnpooledByteBufAllocator(true));
    Deque<ByteBuf> out = new ArrayDeque<>();
    for (int round = 0; round < 3; round++) {
      boolean within = true;
      int refused = 0;
      for (int i = 0; refused < 2 && i < 1000; i++) {
        try {
          out.add(allocators.get(i % 2).directBuffer(MIB));
        } catch (OutOfMemoryError noMemory) {
          refused++;
          System.out.println("refused by " + noMemory.getClass().getName());
        }
        within &= PlatformDependent.usedDirectMemory() <= PlatformDependent.maxDirectMemory();
      }
      System.out.println("within the limit " + within + ", used up " + isUsedUp());
      while (!out.isEmpty()) {
        out.pop().release();
      }
    }
  }

  private static boolean isUsedUp() {
    long limit = PlatformDependent.maxDirectMemory();
    return PlatformDependent.usedDirectMemory() > limit - 6 * MIB;
  }
}

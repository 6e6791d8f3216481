/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Workloads with many live buffers for a short time, or with one giant buffer. */
final class Campaigns {
  private static final int[] SIZES = {Shop.KIB, 4 * Shop.KIB, 8 * Shop.KIB, 16 * Shop.KIB};

  private Campaigns() {}

  /**
   * Allocates bursts of {@code mib} MiB on 8 threads for {@code hold} seconds, {@code bursts} of
   * them or one every {@code every} seconds. Replies are released in another order than they are
   * made.
   */
  static void burst(Shop shop) {
    int threads = shop.number("threads", 8);
    int bursts = shop.number("bursts", 1);
    int every = shop.number("every", 0);
    long share = shop.mib("mib", 1024) / threads;
    double hold = shop.number("hold", 6);
    ByteBufAllocator allocator = shop.allocator();
    CyclicBarrier barrier = new CyclicBarrier(threads);
    shop.ready();
    for (int i = 0; i < threads; i++) {
      boolean isFirst = i == 0;
      Random random = new Random(i);
      Shop.start(
          "shop-campaign-" + (i + 1),
          () -> {
            for (int n = 0; every > 0 || n < bursts; n++) {
              Shop.pause(n == 0 ? 3 : Math.max(every, 5));
              answer(shop, allocator, share, threads, hold, random, barrier);
            }
            if (isFirst) {
              shop.idle();
            }
            Shop.park();
          });
    }
  }

  private static void answer(
      Shop shop,
      ByteBufAllocator allocator,
      long share,
      int threads,
      double hold,
      Random random,
      CyclicBarrier barrier)
      throws InterruptedException, BrokenBarrierException {
    boolean isHeap = shop.is("memory", "heap");
    List<ByteBuf> replies = new ArrayList<>();
    for (long left = share; left > 0; ) {
      int size = SIZES[random.nextInt(SIZES.length)];
      ByteBuf reply =
          isHeap ? allocator.heapBuffer(size, size) : allocator.directBuffer(size, size);
      replies.add(Shop.fill(reply, size));
      left -= size;
    }
    barrier.await();
    if (!isHeap) {
      shop.fact("buffers", share * threads);
    }
    Shop.pause(hold);
    shop.fact("buffers", 0);
    Collections.shuffle(replies, random);
    replies.forEach(ByteBuf::release);
    barrier.await();
  }

  /**
   * Allocates a body of {@code mib} MiB every {@code every} seconds, held for {@code hold} seconds:
   * collected piece by piece ({@code how=aggregate}), or one buffer ({@code response}, {@code
   * heap}).
   */
  static void giant(Shop shop) {
    int bytes = (int) shop.mib("mib", 512);
    ByteBufAllocator allocator = shop.allocator();
    double hold = shop.number("hold", 6);
    double every = shop.number("every", 60);
    shop.ready();
    Shop.start(
        "shop-export-1",
        () -> {
          while (true) {
            Shop.pause(5);
            ByteBuf body;
            if (shop.is("how", "aggregate")) {
              body = aggregate(allocator, bytes);
            } else if (shop.is("how", "heap")) {
              body = Shop.fill(allocator.heapBuffer(bytes, bytes), bytes);
            } else {
              body = Shop.filled(allocator, bytes);
            }
            Shop.pause(hold);
            body.release();
            Shop.pause(every - hold - 5);
          }
        });
  }

  private static ByteBuf aggregate(ByteBufAllocator allocator, int bytes)
      throws InterruptedException {
    byte[] piece = new byte[64 * Shop.KIB];
    ByteBuf body = allocator.directBuffer(piece.length);
    while (body.readableBytes() < bytes) {
      if (body.writableBytes() < piece.length) {
        body.capacity(body.capacity() * 2);
      }
      body.writeBytes(piece);
      if (body.readableBytes() % (8 * Shop.MIB) == 0) {
        Thread.sleep(20);
      }
    }
    return body;
  }

  /**
   * Uses between {@code low} and {@code high} percent of the limit of Netty's direct memory. The
   * use rises and falls within {@code period} seconds.
   */
  static void nearLimit(Shop shop) {
    long limit = io.netty.util.internal.PlatformDependent.maxDirectMemory();
    double low = shop.number("low", 40) / 100.0;
    double high = shop.number("high", 95) / 100.0;
    double period = shop.number("period", 10);
    int size = 256 * Shop.KIB;
    ByteBufAllocator allocator = shop.allocator();
    shop.ready();
    Shop.start(
        "shop-report-1",
        () -> {
          List<ByteBuf> rows = new ArrayList<>();
          long start = System.nanoTime();
          while (true) {
            double phase = (System.nanoTime() - start) / 1e9 % period / period;
            double share = low + (high - low) * (1 - Math.abs(1 - 2 * phase));
            long wanted = (long) (share * limit / size);
            while (rows.size() > wanted) {
              rows.remove(rows.size() - 1).release();
            }
            while (rows.size() < wanted && addRow(rows, allocator, size)) {
              // repeats until the share is reached or the limit refuses
            }
            shop.fact("buffers", (long) rows.size() * size);
            Thread.sleep(100);
          }
        });
  }

  private static boolean addRow(List<ByteBuf> rows, ByteBufAllocator allocator, int size) {
    try {
      return rows.add(Shop.filled(allocator, size));
    } catch (OutOfMemoryError e) {
      System.out.println("REFUSED " + e.getMessage());
      return false;
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Servers with separate threads and allocators. */
final class Servers {
  private Servers() {}

  /** Starts {@code count} servers, each with a new allocator and one thread. */
  static void withOwnAllocators(Shop shop) {
    int count = shop.number("count", 20);
    shop.ready();
    for (int i = 0; i < count; i++) {
      ByteBufAllocator allocator =
          shop.is("allocator", "adaptive")
              ? new AdaptiveByteBufAllocator()
              : new PooledByteBufAllocator(true);
      Shop.start("shop-server-" + (i + 1), () -> serve(allocator));
    }
  }

  /** Serves a first peak of 12 MiB, then 16 requests ten times a second. */
  private static void serve(ByteBufAllocator allocator) throws InterruptedException {
    respond(allocator, 750);
    while (true) {
      respond(allocator, 16);
      Thread.sleep(100);
    }
  }

  private static void respond(ByteBufAllocator allocator, int requests) {
    List<ByteBuf> responses = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      int size = ThreadLocalRandom.current().nextInt(Shop.KIB, 31 * Shop.KIB);
      responses.add(Shop.filled(allocator, size));
    }
    responses.forEach(ByteBuf::release);
  }

  /** Starts {@code threads} threads, which use the pool once, or every {@code wake} seconds. */
  static void manyThreads(Shop shop) throws InterruptedException {
    int threads = shop.number("threads", 500);
    int wake = shop.number("wake", 0);
    ByteBufAllocator allocator = shop.allocator();
    shop.ready();
    shop.fact("threads", threads);
    for (int i = 0; i < threads; i++) {
      Shop.start("shop-worker-" + (i + 1), () -> work(allocator, wake));
      Thread.sleep(4);
    }
  }

  private static void work(ByteBufAllocator allocator, int wake) throws InterruptedException {
    while (true) {
      for (int size : new int[] {100, 512, 2048, 8 * Shop.KIB, 32 * Shop.KIB}) {
        Shop.filled(allocator, size).release();
      }
      if (wake == 0) {
        Shop.park();
      }
      Shop.pause(wake);
    }
  }

  /**
   * Starts {@code threads} threads, each of which serves 20 times {@code requests} requests a
   * second.
   */
  static void rpc(Shop shop) {
    int requests = shop.number("requests", 10);
    ByteBufAllocator allocator = shop.allocator();
    shop.ready();
    for (int i = 0; i < shop.number("threads", 4); i++) {
      Shop.start(
          "shop-rpc-" + (i + 1),
          () -> {
            while (true) {
              respond(allocator, requests);
              Thread.sleep(50);
            }
          });
    }
  }

  /** Fills a pool with {@code mib} MiB at the start, and uses all of them afterwards. */
  static void warmUp(Shop shop) {
    ByteBufAllocator allocator = shop.allocator();
    long count = shop.mib("mib", 256) / (32 * Shop.KIB);
    shop.ready();
    Shop.start(
        "shop-warm-1",
        () -> {
          ArrayDeque<ByteBuf> used = new ArrayDeque<>();
          while (true) {
            used.add(Shop.filled(allocator, 32 * Shop.KIB));
            if (used.size() > count) {
              used.remove().release();
              Thread.sleep(5);
            }
          }
        });
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Sessions, caches and queues: objects and buffers that live long. */
final class Sessions {
  private static final int SIZE = 16 * Shop.KIB;

  private Sessions() {}

  /** Keeps sessions on the heap, up to {@code mib} MiB. */
  static void kept(Shop shop) {
    Pace pace = shop.pace(1536);
    long limit = shop.mib("mib", 440);
    shop.ready();
    Shop.start(
        "shop-sessions-1",
        () -> {
          Map<Long, byte[]> sessions = new HashMap<>();
          for (long bytes = 0; bytes < limit; bytes += SIZE) {
            sessions.put(bytes, new byte[SIZE]);
            pace.spend(SIZE);
            shop.fact("java_heap", bytes + SIZE);
          }
          Images.keep(sessions);
        });
  }

  /** Keeps {@code mib} MiB of the heap in use from the start. */
  static void largeHeap(Shop shop) {
    Map<Long, byte[]> products = new HashMap<>();
    for (long bytes = 0; bytes < shop.mib("mib", 400); bytes += SIZE) {
      products.put(bytes, new byte[SIZE]);
    }
    shop.fact("java_heap", (long) products.size() * SIZE);
    shop.ready();
    Images.keep(products);
  }

  /**
   * Allocates objects in lists of {@code mib} MiB that are dropped when they are full, so that each
   * collection frees much.
   */
  static void sawtooth(Shop shop) {
    Pace pace = shop.pace(16 * Shop.KIB);
    long limit = shop.mib("mib", 160);
    shop.ready();
    Shop.start(
        "shop-search-1",
        () -> {
          while (true) {
            List<byte[]> results = new ArrayList<>();
            for (long bytes = 0; bytes < limit; bytes += SIZE) {
              results.add(new byte[SIZE]);
              pace.spend(SIZE);
            }
            shop.fact("results", results.size());
          }
        });
  }

  /**
   * Fills a cache of buffers at {@code rate} for {@code seconds}. Afterwards each new entry
   * replaces the oldest one.
   */
  static void cache(Shop shop) {
    Pace pace = shop.pace(Shop.KIB);
    long entries = (long) shop.number("rate", Shop.KIB) * Shop.KIB / SIZE;
    long limit = entries * shop.number("seconds", 300);
    ByteBufAllocator allocator = shop.allocator();
    shop.ready();
    Shop.start(
        "shop-cache-1",
        () -> {
          ArrayDeque<ByteBuf> cache = new ArrayDeque<>();
          while (true) {
            cache.add(Shop.filled(allocator, SIZE));
            pace.spend(SIZE);
            if (cache.size() > limit) {
              cache.remove().release();
            }
            shop.fact("buffers", (long) cache.size() * SIZE);
          }
        });
  }

  /** Opens connections with a small buffer each. 100 a second are closed and opened again. */
  static void webSockets(Shop shop) {
    ByteBufAllocator allocator = shop.allocator();
    ByteBuf[] connections = new ByteBuf[shop.number("connections", 5000)];
    shop.ready();
    Shop.start(
        "shop-chat-1",
        () -> {
          ThreadLocalRandom random = ThreadLocalRandom.current();
          for (int i = 0; i < connections.length; i++) {
            connections[i] = Shop.filled(allocator, random.nextInt(256, 2048));
          }
          while (true) {
            int i = random.nextInt(connections.length);
            connections[i].release();
            connections[i] = Shop.filled(allocator, random.nextInt(256, 2048));
            Thread.sleep(10);
          }
        });
  }
}

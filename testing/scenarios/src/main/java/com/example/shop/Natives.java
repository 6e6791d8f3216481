/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import sun.misc.Unsafe;

/** A library that takes its memory from the C library's malloc. */
final class Natives {
  private static final Unsafe UNSAFE = unsafe();
  private static final int PAGE = 4 * Shop.KIB;

  private Natives() {}

  /**
   * Starts {@code threads} threads, which allocate {@code mib} MiB together in blocks of 1 to 64
   * KiB, and free all but each {@code keep}th. The allocator cannot return the pages between those.
   */
  static void churn(Shop shop) {
    int threads = shop.number("threads", 24);
    long share = shop.mib("mib", 480) / threads;
    int keep = shop.number("keep", 40);
    AtomicLong kept = new AtomicLong();
    shop.ready();
    for (int i = 0; i < threads; i++) {
      Shop.start(
          "shop-codec-" + (i + 1),
          () -> {
            decode(share, keep, kept);
            shop.fact("native", kept.get());
            while (true) {
              decode(256 * Shop.KIB, Integer.MAX_VALUE, kept);
              Thread.sleep(500);
            }
          });
    }
  }

  private static void decode(long bytes, int keep, AtomicLong kept) throws InterruptedException {
    long[] blocks = new long[(int) (bytes / Shop.KIB)];
    int count = 0;
    for (long left = bytes; left > 0; ) {
      int size = ThreadLocalRandom.current().nextInt(Shop.KIB, 64 * Shop.KIB);
      long block = UNSAFE.allocateMemory(size);
      for (int at = 0; at < size; at += PAGE) {
        UNSAFE.putByte(block + at, (byte) 1);
      }
      if (count % keep == keep - 1) {
        kept.addAndGet(size);
        count++;
      } else {
        blocks[count++] = block;
      }
      left -= size;
    }
    Thread.sleep(2000);
    for (long block : blocks) {
      if (block != 0) {
        UNSAFE.freeMemory(block);
      }
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

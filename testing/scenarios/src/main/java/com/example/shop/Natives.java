/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A library that takes its memory from the C library's malloc. */
final class Natives {
  private static final MethodHandle ALLOCATE = method("allocateMemory", long.class, long.class);
  private static final MethodHandle FREE = method("freeMemory", void.class, long.class);
  private static final MethodHandle PUT = method("putByte", void.class, long.class, byte.class);
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
      long block = touched(size);
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
        free(block);
      }
    }
  }

  private static long touched(long size) {
    try {
      long block = (long) ALLOCATE.invokeExact(size);
      for (int at = 0; at < size; at += PAGE) {
        PUT.invokeExact(block + at, (byte) 1);
      }
      return block;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void free(long block) {
    try {
      FREE.invokeExact(block);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Looks a method up by name, because javac 25 warns of each mention of this class. */
  private static MethodHandle method(String name, Class<?> result, Class<?>... parameters) {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(type, name, MethodType.methodType(result, parameters))
          .bindTo(field.get(null));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

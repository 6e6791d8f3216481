/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** The process of a shop: its arguments, its threads, and the lines that it prints. */
public final class Shop {
  static final int KIB = 1 << 10;
  static final int MIB = 1 << 20;

  private static final int PAGE = 4 * KIB;
  private static final int TICK_MILLIS = 20;
  private static final int TICKS_PER_SECOND = 1000 / TICK_MILLIS;

  private final Map<String, String> arguments;
  private final Map<String, Long> facts = new ConcurrentHashMap<>();

  /** Creates the process with arguments by name. */
  public Shop(Map<String, String> arguments) {
    this.arguments = Map.copyOf(arguments);
  }

  /** A task that may fail. */
  interface Task {
    void run() throws Exception;
  }

  int number(String name, int otherwise) {
    String value = arguments.get(name);
    return value == null ? otherwise : Integer.parseInt(value);
  }

  /** Returns a number of MiB as bytes. */
  long mib(String name, int otherwise) {
    return (long) number(name, otherwise) * MIB;
  }

  boolean is(String name, String value) {
    return value.equals(arguments.get(name));
  }

  /** Returns the pace of the argument {@code rate}, in KiB a second. */
  Pace pace(int otherwise) {
    return new Pace((double) number("rate", otherwise) * KIB);
  }

  /** Returns the allocator that the argument {@code allocator} names. */
  ByteBufAllocator allocator() {
    if (is("allocator", "pooled")) {
      return PooledByteBufAllocator.DEFAULT;
    }
    return is("allocator", "adaptive") ? new AdaptiveByteBufAllocator() : ByteBufAllocator.DEFAULT;
  }

  /** Announces that the fault begins, or that a healthy workload is at work. */
  void ready() {
    System.out.println("READY");
  }

  /** Announces that the workload has released its memory. */
  void idle() {
    System.out.println("IDLE");
  }

  /** States a true figure, which is printed within a second. */
  void fact(String part, long bytes) {
    facts.put(part, bytes);
  }

  /** Starts a thread like those of Netty, which have thread caches. */
  static void start(String name, Task task) {
    Thread thread = new FastThreadLocalThread(null, () -> runOrEnd(task), name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void runOrEnd(Task task) {
    try {
      task.run();
    } catch (Throwable e) {
      try {
        System.getLogger(Shop.class.getName()).log(Level.ERROR, "thread failed; process ends", e);
      } finally {
        Runtime.getRuntime().halt(3); // also if memory is too short to log the failure
      }
    }
  }

  /** Starts ordinary traffic, garbage on the heap, and the thread that prints facts. */
  public void open() {
    start("shop-facts", this::printFacts);
    start("shop-http-1", this::serve);
    start("shop-http-2", this::serve);
    int garbage = number("garbage", 2) * MIB;
    if (garbage > 0) {
      start("shop-render-1", () -> render(garbage));
    }
  }

  private void printFacts() throws InterruptedException {
    Map<String, Long> printed = new TreeMap<>();
    while (true) {
      for (Map.Entry<String, Long> fact : facts.entrySet()) {
        Long bytes = fact.getValue();
        if (!bytes.equals(printed.put(fact.getKey(), bytes))) {
          System.out.println("FACT " + fact.getKey() + " " + bytes);
        }
      }
      Thread.sleep(1000);
    }
  }

  /** Serves about 200 requests a second, each of which holds its memory for 100 ms. */
  private void serve() throws InterruptedException {
    ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
    ArrayDeque<ByteBuf> inFlight = new ArrayDeque<>();
    while (true) {
      for (int i = 0; i < 4; i++) {
        inFlight.add(filled(allocator, ThreadLocalRandom.current().nextInt(128, 8 * KIB)));
        if (inFlight.size() > 20) {
          inFlight.remove().release();
        }
      }
      Thread.sleep(TICK_MILLIS);
    }
  }

  private static void render(int bytesPerSecond) throws InterruptedException {
    byte[][] pages = new byte[8][];
    int next = 0;
    while (true) {
      for (int left = bytesPerSecond / TICKS_PER_SECOND; left > 0; left -= 16 * KIB) {
        pages[next++ % pages.length] = new byte[16 * KIB];
      }
      Thread.sleep(TICK_MILLIS);
    }
  }

  /** Returns a direct buffer whose pages are all touched. */
  static ByteBuf filled(ByteBufAllocator allocator, int bytes) {
    return fill(allocator.directBuffer(bytes, bytes), bytes);
  }

  /** Writes a byte to each page of a buffer, and sets its length. */
  static ByteBuf fill(ByteBuf buffer, int bytes) {
    for (int i = 0; i < bytes; i += PAGE) {
      buffer.setByte(i, i);
    }
    return buffer.setByte(bytes - 1, 1).setIndex(0, bytes);
  }

  /** Waits for a number of seconds. */
  static void pause(double seconds) throws InterruptedException {
    Thread.sleep((long) (seconds * 1000));
  }

  /** Waits until the process ends. */
  static void park() {
    while (true) {
      LockSupport.park();
    }
  }
}

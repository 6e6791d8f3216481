/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A host that allocates much memory and does not touch it, and then all memory up to its limit. */
public final class Untouched {
  private static final int MIB = 1 << 20;
  private static final int HELD_MIB = 64;
  private static final int MAX_MIB = 1000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final Deque<ByteBuf> held = new ArrayDeque<>();

  private Untouched() {}

  /** Allocates memory. */
  public static void main(String[] arguments) throws Exception {
    new Untouched().run(arguments.length > 0);
  }

  private void run(boolean isServed) throws Exception {
    ByteBuf first = allocator.directBuffer(16);
    while (isServed && !Bare.className(first).startsWith("dev.cistern.")) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      first.release();
      first = allocator.directBuffer(16);
    }
    long counted = counted();
    long netty = PlatformDependent.usedDirectMemory();
    long resident = residentBytes();
    take(HELD_MIB);
    System.out.println("the JVM counts it " + isAbout(counted() - counted));
    System.out.println("Netty counts it " + isAbout(PlatformDependent.usedDirectMemory() - netty));
    System.out.println("class resident MiB " + (residentBytes() - resident) / MIB);
    System.out.println("refused by " + takeAll());
    System.out.println("within the limit " + isWithinLimit());
    while (!held.isEmpty()) {
      held.pop().release();
    }
    System.out.println("taken again " + take(HELD_MIB));
    while (!held.isEmpty()) {
      held.pop().release();
    }
    first.release();
    if (isServed) {
      awaitReturn(counted, netty);
    }
    System.out.println("done");
  }

  private int take(int count) {
    for (int i = 0; i < count; i++) {
      held.add(allocator.directBuffer(MIB));
    }
    return count;
  }

  private String takeAll() {
    try {
      take(MAX_MIB);
      return "none";
    } catch (OutOfMemoryError refused) {
      return refused.getClass().getName();
    }
  }

  private static boolean isAbout(long bytes) {
    return bytes >= (HELD_MIB - 8L) * MIB && bytes <= (HELD_MIB + 16L) * MIB;
  }

  /**
   * Returns whether the counted memory is within the limit. JDK 25 counts a little more than it
   * compares with the limit.
   */
  private static boolean isWithinLimit() {
    long most = Math.max(counted(), PlatformDependent.usedDirectMemory());
    return most <= PlatformDependent.maxDirectMemory() + MIB;
  }

  private static long counted() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(bean -> bean.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long residentBytes() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  /** Waits until the memory is freed, except for memory that Netty itself keeps. */
  private static void awaitReturn(long jvmBefore, long nettyBefore) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!isReturned(jvmBefore, nettyBefore) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    System.out.println("class returned " + isReturned(jvmBefore, nettyBefore));
  }

  /** Returns whether both accounts no longer count the memory. */
  private static boolean isReturned(long jvmBefore, long nettyBefore) {
    return counted() <= jvmBefore + 8L * MIB
        && PlatformDependent.usedDirectMemory() <= nettyBefore + 8L * MIB;
  }
}

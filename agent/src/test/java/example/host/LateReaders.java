/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import dev.cistern.memory.NativeMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * An application that uses the memory of buffers after another thread has released them, and after
 * that memory has left the pool: through a view and through the address. It prints the results to
 * stdout. Arguments: {@code served} (by the agent), {@code bare} or {@code library}; {@code bound}
 * if views end with the memory.
 */
public final class LateReaders {
  private static final int REGIONS = 4;
  private static final int REGION_BYTES = 16 << 20;
  private static final int PAGE_BYTES = 4096;
  private static final int MOMENTS = 9;
  private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * Largest delay of a use. After a longer delay the memory may be unmapped, and the host does not
   * use it.
   */
  private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final LongSupplier counted;
  private final List<Region> regions;

  private record Region(ByteBuffer view, long address, Runnable release) {}

  private LateReaders(LongSupplier counted, List<Region> regions) {
    this.counted = counted;
    this.regions = regions;
  }

  /** Uses released memory. */
  public static void main(String[] arguments) throws Exception {
    boolean isBound = arguments.length > 1;
    switch (arguments[0]) {
      case "library" -> library().useLate(isBound);
      case "served" -> {
        Bare.awaitAgent(PooledByteBufAllocator.DEFAULT);
        netty().useLate(isBound);
      }
      default -> netty().useAfterTheEnd();
    }
    System.out.println("done");
  }

  private static LateReaders library() throws Exception {
    var allocator = new dev.cistern.buffer.PooledByteBufAllocator(true);
    List<Region> regions = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      dev.cistern.buffer.ByteBuf buffer = allocator.directBuffer(REGION_BYTES);
      regions.add(
          new Region(buffer.nioBuffer(0, REGION_BYTES), buffer.memoryAddress(), buffer::release));
    }
    System.out.println("way " + NativeMemory.way().label());
    return new LateReaders(() -> allocator.metric().usedDirectMemory(), regions);
  }

  private static LateReaders netty() throws Exception {
    List<Region> regions = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(REGION_BYTES);
      regions.add(
          new Region(
              buffer.nioBuffer(0, REGION_BYTES),
              buffer.hasMemoryAddress() ? buffer.memoryAddress() : 0,
              buffer::release));
    }
    return new LateReaders(LateReaders::countedForNetty, regions);
  }

  /** The bridge counts in the account of the JVM or of Netty, or in both. */
  private static long countedForNetty() {
    long jvm =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(bean -> bean.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return Math.max(jvm, PlatformDependent.usedDirectMemory());
  }

  private void useLate(boolean isBound) throws Exception {
    for (int region = 0; region < REGIONS; region++) {
      write(region, 0);
    }
    long before = counted.getAsLong();
    releaseInOtherThread();
    long startNanos = System.nanoTime();
    System.out.println("left the pool MiB " + ((before - counted.getAsLong()) >> 20));
    long wrong = 0;
    for (int moment = 1; moment <= MOMENTS; moment++) {
      long dueNanos = startNanos + moment * BETWEEN_NANOS;
      while (System.nanoTime() - dueNanos < 0) {
        LockSupport.parkNanos(dueNanos - System.nanoTime());
      }
      for (int region = 0; region < REGIONS; region++) {
        if (System.nanoTime() - dueNanos > MAX_DELAY_NANOS) {
          System.out.println("too late at moment " + moment);
          return;
        }
        wrong += countWrong(region, moment - 1);
        write(region, moment);
      }
    }
    System.out.println("mapped at the last moment " + mapped());
    System.out.println("wrong words " + wrong);
    await(() -> mapped() == 0);
    System.out.println("mapped in the end " + mapped());
    System.out.printf(
        Locale.ROOT, "unmapped after %.2f s%n", (System.nanoTime() - startNanos) / 1e9);
    if (isBound) {
      reportEndedViews();
    }
  }

  private void useAfterTheEnd() throws Exception {
    releaseInOtherThread();
    reportEndedViews();
  }

  private void releaseInOtherThread() throws InterruptedException {
    Thread releasing = new Thread(() -> regions.forEach(region -> region.release.run()));
    releasing.start();
    releasing.join();
  }

  private static long word(int region, int at, int moment) {
    return 0x5EED_0000_0000_0000L + ((long) moment << 40) + ((long) region << 32) + at;
  }

  /** Writes through the view and, if there is one, the address. */
  private void write(int region, int moment) {
    Region to = regions.get(region);
    for (int at = 0; at < REGION_BYTES; at += PAGE_BYTES) {
      to.view.putLong(at, word(region, at, moment));
      if (to.address != 0) {
        RawMemory.put(to.address + at + Long.BYTES, word(region, at, moment));
      }
    }
  }

  private long countWrong(int region, int moment) {
    Region from = regions.get(region);
    long wrong = 0;
    for (int at = 0; at < REGION_BYTES; at += PAGE_BYTES) {
      if (from.view.getLong(at) != word(region, at, moment)) {
        wrong++;
      }
      if (from.address != 0
          && RawMemory.get(from.address + at + Long.BYTES) != word(region, at, moment)) {
        wrong++;
      }
    }
    return wrong;
  }

  /** Returns the number of mapped regions. If this matters, each region has an address. */
  private long mapped() {
    return regions.stream()
        .filter(region -> Mappings.isMapped(region.address, REGION_BYTES))
        .count();
  }

  private void reportEndedViews() {
    for (Region region : regions) {
      System.out.println("read " + thrownBy(() -> region.view.getLong(0)));
      System.out.println("write " + thrownBy(() -> region.view.putLong(REGION_BYTES - 8, 1)));
    }
  }

  private static String thrownBy(Runnable use) {
    try {
      use.run();
      return "nothing";
    } catch (RuntimeException ended) {
      return ended.getClass().getName();
    }
  }

  private static void await(BooleanSupplier state) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!state.getAsBoolean() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.fixture.LeaksSince;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.AllocationEstimate;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that runs in a separate JVM, and ends with 0 if the live profile matches the live
 * buffers. Unless a case states otherwise, its buffers are much larger than the sampling interval,
 * so that each one is sampled. They are so few that no thread raises its interval, so that the
 * estimate is exact.
 */
final class LiveBytes {
  private static final int BYTES = 64 << 10;

  private static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, 1, 1, 8192, 7);
  private static final UnpooledByteBufAllocator UNPOOLED = new UnpooledByteBufAllocator(true);

  private LiveBytes() {}

  /** Runs one case. Argument: its name. */
  public static void main(String[] arguments) throws InterruptedException {
    switch (arguments[0]) {
      case "held" -> held();
      case "unpooled" -> unpooled();
      case "grown" -> grown();
      case "lost" -> lost();
      case "others" -> releasedByOtherThread();
      case "counted" -> counted();
      case "moved" -> moved();
      case "estimated" -> estimated();
      case "off" -> off();
      case "changed" -> changedAtRunTime();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("as expected");
  }

  private static void held() {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      held.add(POOLED.directBuffer(BYTES));
      expectLive(i * (long) BYTES, 0);
    }
    held.add(POOLED.heapBuffer(BYTES));
    held.add(POOLED.directBuffer(5 << 20));
    expectLive(20L * BYTES + (5 << 20), BYTES);
    LiveEstimate direct = LibraryLeaks.SHARED.live(StackDetail.FRAMES).total("direct");
    expect(direct.samples() == 21, "samples: " + direct.samples());
    expect(Math.round(direct.buffers()) == 21, "buffers: " + direct.buffers());
    expect(direct.bytes(Age.UNDER_10_SECONDS) == direct.bytes(), "young: " + direct);
    long oldest = LibraryLeaks.SHARED.live(StackDetail.FRAMES).sites().get(0).oldestMillis();
    long ago = System.currentTimeMillis() - oldest;
    expect(ago >= 0 && ago < 60_000, "the oldest: " + ago + " ms ago");
    CompositeByteBuf composite = POOLED.compositeBuffer(64);
    held.forEach(buffer -> composite.addComponent(true, buffer.setIndex(0, 1)));
    expectLive(20L * BYTES + (5 << 20), BYTES);
    ByteBuf slice = composite.retainedSlice(0, 5);
    composite.release();
    expectLive(20L * BYTES + (5 << 20), BYTES);
    slice.release();
    expectLive(0, 0);
  }

  private static void unpooled() {
    ByteBuf direct = UNPOOLED.directBuffer(BYTES);
    ByteBuf slice = direct.retainedSlice(0, 5);
    expectLive(BYTES, 0);
    direct.release();
    expectLive(BYTES, 0);
    slice.release();
    expectLive(0, 0);
  }

  private static void grown() {
    for (boolean direct : List.of(true, false)) {
      ByteBuf buffer = direct ? POOLED.directBuffer(BYTES) : POOLED.heapBuffer(BYTES);
      int capacity = BYTES;
      for (int i = 0; i < 5; i++) {
        capacity *= 2;
        buffer.capacity(capacity);
        expectLive(direct ? capacity : 0, direct ? 0 : capacity);
      }
      buffer.capacity(BYTES);
      expectLive(direct ? BYTES : 0, direct ? 0 : BYTES);
      buffer.release();
      expectLive(0, 0);
    }
  }

  /** Checks that a buffer sampled in several ways counts as one allocation and one lifetime. */
  private static void counted() {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      held.add(POOLED.directBuffer(BYTES));
    }
    held.add(UNPOOLED.directBuffer(BYTES));
    held.add(POOLED.heapBuffer(2 * BYTES));
    expectAllocated("direct", 21, 21L * BYTES);
    expectAllocated("heap", 1, 2L * BYTES);
    expectLifetimes("direct", 0);
    held.forEach(ByteBuf::release);
    expectLifetimes("direct", 21);
    expectLifetimes("heap", 1);
    expectAllocated("direct", 21, 21L * BYTES);
    expectAllocated("heap", 1, 2L * BYTES);
  }

  /** Checks that a sample by bytes ends with its slot. */
  private static void moved() {
    ByteBuf buffer = POOLED.directBuffer(BYTES);
    buffer.capacity(4 * BYTES);
    expectAllocated("direct", 2, 5L * BYTES);
    expectLifetimes("direct", 1);
    buffer.release();
    expectAllocated("direct", 2, 5L * BYTES);
    expectLifetimes("direct", 2);
  }

  private static void expectAllocated(String memory, long buffers, long bytes) {
    AllocationEstimate found = LibraryLeaks.SHARED.allocations(StackDetail.FRAMES).total(memory);
    expect(
        found.samples() == buffers
            && Math.round(found.buffers()) == buffers
            && Math.round(found.bytes()) == bytes,
        found + " of " + memory + " instead of " + buffers + " buffers, " + bytes + " bytes");
  }

  private static void expectLifetimes(String memory, long released) {
    for (LifetimeReport report : LibraryLeaks.SHARED.lifetimes()) {
      long samples = report.samples().stream().mapToLong(Long::longValue).sum();
      if (report.memory().equals(memory)) {
        expect(samples == released, report + " instead of " + released);
      }
    }
  }

  private static void lost() throws InterruptedException {
    LeaksSince leaksSince = new LeaksSince();
    ByteBuf held = POOLED.directBuffer(BYTES);
    leak();
    List<LeaksSince.Leaks> leaks = leaksSince.collect();
    expect(leaks.stream().mapToLong(LeaksSince.Leaks::found).sum() == 3, "leaks: " + leaks);
    expectLive(4L * BYTES, 0);
    double lost = 0;
    for (LiveSite site : LibraryLeaks.SHARED.live(StackDetail.FRAMES).sites()) {
      lost += site.lostBytes();
    }
    expect(Math.round(lost) == 3L * BYTES, "lost: " + lost);
    held.release();
    expectLive(3L * BYTES, 0);
  }

  private static void leak() {
    for (int i = 0; i < 3; i++) {
      POOLED.directBuffer(BYTES);
    }
  }

  private static void releasedByOtherThread() throws InterruptedException {
    List<ByteBuf> held = new ArrayList<>();
    Thread allocates =
        new Thread(
            () -> {
              for (int i = 0; i < 50; i++) {
                held.add(POOLED.directBuffer(BYTES));
              }
            });
    allocates.start();
    allocates.join();
    expectLive(50L * BYTES, 0);
    held.forEach(ByteBuf::release);
    expectLive(0, 0);
  }

  /**
   * Checks that a buffer that grows through sizes below the interval counts with its final size.
   */
  private static void estimated() {
    int last = 32 << 10;
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      ByteBuf buffer = POOLED.directBuffer(1 << 10);
      for (int capacity = 2 << 10; capacity <= last; capacity *= 2) {
        buffer.capacity(capacity);
      }
      held.add(buffer);
    }
    expectEstimate(4_000L * last);
    while (held.size() > 1_000) {
      held.remove(held.size() - 1).release();
    }
    expectEstimate(1_000L * last);
    held.forEach(ByteBuf::release);
    expectLive(0, 0);
  }

  private static void expectEstimate(long bytes) {
    LiveEstimate live = LibraryLeaks.SHARED.live(StackDetail.FRAMES).total("direct");
    // At the fewer buffers, 118 samples are expected, with a deviation of 10. There are fewer, of
    // more weight, if the machine is so busy that samples take too much of this thread's time.
    expect(live.samples() > 20, "samples: " + live.samples());
    expect(
        Math.abs(live.bytes() - bytes) < 5 * live.bytesError(),
        live.bytes() + " instead of " + bytes + ", standard error " + live.bytesError());
    expect(live.bytesError() < bytes / 2.0, "standard error: " + live.bytesError());
  }

  private static void off() throws InterruptedException {
    LeaksSince leaksSince = new LeaksSince();
    ByteBuf held = POOLED.directBuffer(BYTES);
    leak();
    expect(leaksSince.collect().isEmpty(), "nothing is watched");
    LiveReport live = LibraryLeaks.SHARED.live(StackDetail.FRAMES);
    expect(live.intervalBytes() == 0, "interval: " + live.intervalBytes());
    expect(live.stacks().isEmpty(), "live: " + live);
    held.release();
  }

  /**
   * Checks that threads use a new interval at their next slow step, and that earlier samples stay
   * until their release.
   */
  private static void changedAtRunTime() {
    ByteBuf drawn = POOLED.directBuffer(BYTES);
    POOLED.pool(true).sampleIntervalBytes(0);
    List<ByteBuf> undrawn = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      undrawn.add(POOLED.directBuffer(BYTES));
    }
    LiveEstimate before = LibraryLeaks.SHARED.live(StackDetail.FRAMES).total("direct");
    undrawn.add(POOLED.directBuffer(BYTES));
    LiveEstimate after = LibraryLeaks.SHARED.live(StackDetail.FRAMES).total("direct");
    expect(before.samples() >= 1 && before.samples() < 300, "samples: " + before.samples());
    expect(before.samples() == after.samples(), "drawn since: " + after);
    undrawn.forEach(ByteBuf::release);
    expectLive(BYTES, 0);
    drawn.release();
    expectLive(0, 0);
    POOLED.pool(true).sampleIntervalBytes(1 << 10);
    List<ByteBuf> again = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) { // an idle sampler looks again after 64 MiB
      again.add(POOLED.directBuffer(BYTES));
    }
    expect(
        LibraryLeaks.SHARED.live(StackDetail.FRAMES).total("direct").samples() > 100,
        "drawn again");
    again.forEach(ByteBuf::release);
    expectLive(0, 0);
  }

  private static void expectLive(long direct, long heap) {
    LiveReport live = LibraryLeaks.SHARED.live(StackDetail.FRAMES);
    long directFound = Math.round(live.total("direct").bytes());
    long heapFound = Math.round(live.total("heap").bytes());
    expect(directFound == direct, "direct: " + directFound + " instead of " + direct);
    expect(heapFound == heap, "heap: " + heapFound + " instead of " + heap);
  }

  private static void expect(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.stats.PoolStat;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that runs in a separate JVM without any setting, and ends with 0 if all results are
 * right.
 */
final class LeakedAtDefaults {
  private static final int MIB = 1 << 20;

  /**
   * Few enough that the sampler, which then takes some 200 samples, does not raise its interval.
   */
  private static final int ROUNDS = 300;

  private static final int LEAKS = 20;

  private LeakedAtDefaults() {}

  public static void main(String[] arguments) {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true, 1, 1, 8192, 9);
    try (LeakReports reports = new LeakReports()) {
      useAndRelease(allocator);
      List<String> none = reports.all();
      expect(none.isEmpty(), "nothing leaked, but: " + none);
      expect(samples(allocator) > ROUNDS / 20, "samples: " + samples(allocator));
      for (int i = 0; i < LEAKS; i++) {
        leakHere(allocator);
      }
      reports.await("leakHere");
      for (int i = 0; i < LEAKS; i++) {
        leakGrown(allocator);
      }
      reports.await("leakGrown");
      keepWithHint(allocator);
    }
    System.out.println("as expected");
  }

  private static long samples(PooledByteBufAllocator allocator) {
    return allocator.pool(true).snapshot().get(PoolStat.SAMPLES);
  }

  /**
   * Moves half of the buffers; some of these moves are samples, and some buffers are sampled twice.
   */
  private static void useAndRelease(PooledByteBufAllocator allocator) {
    for (int i = 0; i < ROUNDS; i++) {
      ByteBuf buffer = allocator.directBuffer(100_000);
      if (i % 2 == 0) {
        buffer.capacity(150_000).capacity(400_000).capacity(10);
      }
      expect(buffer instanceof PooledByteBuf, "no wrapper: " + buffer);
      ByteBuf slice = buffer.retainedSlice(0, 10);
      buffer.release();
      slice.release();
    }
  }

  private static void leakHere(PooledByteBufAllocator allocator) {
    allocator.directBuffer(MIB);
  }

  private static void leakGrown(PooledByteBufAllocator allocator) {
    allocator.directBuffer(16).capacity(MIB);
  }

  /** Keeps slices whose hints are recorded for their buffers. */
  private static void keepWithHint(PooledByteBufAllocator allocator) {
    List<ByteBuf> kept = new ArrayList<>();
    for (int i = 0; i < LEAKS; i++) {
      ByteBuf buffer = allocator.directBuffer(MIB);
      kept.add(buffer.slice(0, 10).touch("in the cache"));
    }
    List<HeldSite> held = LibraryLeaks.SHARED.live(StackDetail.SITE).detail().held();
    expect(held.stream().anyMatch(each -> each.holder().equals("in the cache")), "held: " + held);
    kept.forEach(ByteBuf::release);
  }

  private static void expect(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}

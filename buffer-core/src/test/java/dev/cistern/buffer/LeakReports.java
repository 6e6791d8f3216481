/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakTracker;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The reports of the buffers' leak detector since this object was created. */
final class LeakReports implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final AtomicInteger PROBES = new AtomicInteger();

  private final List<String> records = new CopyOnWriteArrayList<>();

  LeakReports() {
    LeakTracking.DETECTOR.setLeakListener((type, record) -> records.add(record));
  }

  private Optional<String> with(String... texts) {
    return records.stream()
        .filter(record -> Arrays.stream(texts).allMatch(record::contains))
        .findFirst();
  }

  private static void watchAnother() {
    ByteBuf other = new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, 1, 1);
    LeakTracking.DETECTOR.trackForcibly(other).close(other);
  }

  /** Collects garbage until a report contains all these texts; returns it. */
  String await(String... texts) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (with(texts).isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "no report of " + List.of(texts) + " within " + LIMIT + " in " + records);
      }
      System.gc();
      watchAnother();
      Thread.onSpinWait();
    }
    return with(texts).orElseThrow();
  }

  /** Returns the reports of all buffers that are garbage now, except for those of this method. */
  List<String> all() {
    // One collection enqueues its references in any order, but before those of the next collection.
    for (int round = 0; round < 2; round++) {
      String name = "probe " + PROBES.incrementAndGet();
      leak(name);
      records.remove(await(name));
    }
    return List.copyOf(records);
  }

  private static void leak(String name) {
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    // At lower levels, the tracker would not record the name.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    try {
      ByteBuf leaked = new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, 1, 1);
      ResourceLeakTracker<ByteBuf> tracker = LeakTracking.DETECTOR.trackForcibly(leaked);
      tracker.record(name);
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  @Override
  public void close() {
    LeakTracking.DETECTOR.setLeakListener(null);
  }
}

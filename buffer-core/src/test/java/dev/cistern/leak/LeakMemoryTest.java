/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.StackDetail;
import example.leaky.Application;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests that the full stores of a detector take less than 9 MiB of the Java heap. */
class LeakMemoryTest {
  private static final double MIB = 1 << 20;

  /** Number of leaks at further sites: more than there are candidates. */
  private static final int OTHERS = 2 * LargestKept.CANDIDATES;

  private static final Moment NOW = new Moment(System.nanoTime(), 0);

  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static long retained(String what, Supplier<Object> filling) {
    long before = used();
    Object filled = filling.get();
    try {
      long bytes = used() - before;
      System.out.printf("%s: %.2f MiB%n", what, bytes / MIB);
      return bytes;
    } finally {
      Reference.reachabilityFence(filled);
    }
  }

  private static LeakDetector detector() {
    return new LeakDetector("io.netty", new LeakStore(512, line -> {}));
  }

  private static Sample sample() {
    return Sample.byBytes("direct", Sample.POOLED, 1024, 1024, 512 << 10);
  }

  /** Returns a stack with that number of frames that the table does not have yet. */
  private static Throwable stack(int number, int frames, int different) {
    Throwable stack = new Throwable("a stack", null, false, true) {};
    StackTraceElement[] elements = new StackTraceElement[frames];
    for (int i = 0; i < frames; i++) {
      int line = (number * 31 + i * (i + number)) % different;
      elements[i] = new StackTraceElement("example.Service", "call", "Service.java", line + 1);
    }
    elements[0] = new StackTraceElement("example.Service", "call", "Service.java", number + 1);
    stack.setStackTrace(elements);
    return stack;
  }

  private static StackTable fullTable() {
    StackTable table = new StackTable(new SiteFinder("io.netty"), frame -> false);
    for (int i = 0; i < StackTable.MAX_STACKS; i++) {
      assertThat(table.intern(stack(i, CallStack.MAX_FRAMES, StackTable.MAX_FRAMES))).isNotNull();
    }
    assertThat(table.intern(stack(StackTable.MAX_STACKS, 10, 10))).as("no place").isNull();
    return table;
  }

  private static LeakDetector watching(Object[] buffers) {
    LeakDetector detector = detector();
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = new Object();
      detector.track(buffers[i], sample());
    }
    detector.live(0, StackDetail.FRAMES); // looks up their stack, which is the same for all
    return detector;
  }

  private static LeakDetector waiting(Object[] buffers, int frames) {
    LeakDetector detector = detector();
    Application.recurse(
        frames - 40,
        () -> {
          for (int i = 0; i < buffers.length; i++) {
            buffers[i] = new Object();
            detector.track(buffers[i], sample());
            if (i % 400 == 0 && i < 2_000) {
              detector.live(0, StackDetail.FRAMES); // the detector learns how deep stacks are
            }
          }
          return "";
        });
    assertThat(detector.report("simple", 0, StackDetail.FRAMES).withoutStack()).isPositive();
    return detector;
  }

  private static SiteTrends fullTrends() {
    SiteTrends trends = new SiteTrends(NOW.nanos());
    for (int i = 0; i < 2_000; i++) {
      SiteHistory history = trends.of("direct", "example.Service.call:" + i);
      if (history != null) {
        history.arrived(1);
      }
    }
    assertThat(trends.dropped()).isPositive();
    for (int i = 0; i < 2 * SiteTrends.MAX_YOUNG; i++) {
      trends.addYoungLost("direct", "example.Service.call:0", 1, NOW.nanos());
    }
    return trends;
  }

  private static LeakedSamples fullLost(StackTable table) {
    LeakedSamples lost = new LeakedSamples();
    for (int i = 0; i < 3 * StackTable.MAX_WATCHED_STACKS; i++) {
      StackTable.Stack stack =
          table.intern(
              stack(
                  i % StackTable.MAX_WATCHED_STACKS, CallStack.MAX_FRAMES, StackTable.MAX_FRAMES));
      lost.add(sample(), stack, null, NOW.nanos(), NOW);
    }
    return lost;
  }

  private static AllocationProfile fullAllocations(StackTable table) {
    AllocationProfile profile = new AllocationProfile(table, NOW.nanos());
    LeakTracker<Object> tracker = detector().track(new Object(), sample());
    for (int i = 0; i < 2 * AllocationProfile.MAX_STACKS; i++) {
      Throwable stack = stack(i, CallStack.MAX_FRAMES, StackTable.MAX_FRAMES);
      profile.add(new AllocationProfile.Selected(tracker, sample(), 1, stack), table.intern(stack));
    }
    assertThat(profile.report(0, StackDetail.SITE).remainder()).hasSize(1);
    return profile;
  }

  private static LeakStore fullStore(StackTable table, int most) {
    LeakDetector detector = detector();
    LeakStore store = new LeakStore(most, line -> {});
    for (int i = 0; i < most + OTHERS; i++) {
      LeakTracker<Object> tracker = detector.track(new Object(), sample(), 4);
      for (int access = 0; access < 20; access++) {
        tracker.record("hint " + access);
        tracker.recordCount();
      }
      StackTable.Stack stack = table.intern(stack(i, CallStack.MAX_FRAMES, StackTable.MAX_FRAMES));
      store.add("dev.cistern", tracker, stack, NOW, table);
      tracker.close(tracker);
    }
    assertThat(store.report("simple", StackDetail.SITE, 0, 0, 0, 0).foundOfOthers())
        .isEqualTo(OTHERS);
    return store;
  }

  @Test
  void allStoresTogetherTakeLessThanNineMebibytes() {
    Object[] buffers = new Object[LeakDetector.DEFAULT_MAX_WATCHED];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = new Object();
    }
    long bytes = retained("watched samples", () -> watching(buffers));
    long bytesOfWatched = bytes;
    List<Long> waiting = new ArrayList<>();
    for (int frames : new int[] {60, 900}) {
      waiting.add(
          retained("and stacks that wait, of " + frames, () -> waiting(buffers, frames))
              - bytesOfWatched);
    }
    bytes += waiting.stream().mapToLong(Long::longValue).max().orElseThrow();
    StackTable[] table = new StackTable[1];
    bytes += retained("stacks", () -> table[0] = fullTable());
    bytes += retained("histories", LeakMemoryTest::fullTrends);
    bytes += retained("lost buffers", () -> fullLost(table[0]));
    bytes += retained("allocations", () -> fullAllocations(table[0]));
    bytes += retained("leaks", () -> fullStore(table[0], LeakStore.DEFAULT_MAX_ENTRIES));
    System.out.printf("together: %.2f MiB%n", bytes / MIB);
    assertThat(bytes / MIB).isLessThan(9);
  }
}

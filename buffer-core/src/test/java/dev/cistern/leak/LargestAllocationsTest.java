/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LargestAllocation;
import dev.cistern.leak.report.StackDetail;
import example.leaky.Application;
import example.leaky.Sites;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the largest single allocations with their sites. */
class LargestAllocationsTest {
  private static final int MIB = 1 << 20;

  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
  private long nanos = System.nanoTime();

  @BeforeEach
  void useTestClock() {
    detector.clock(() -> nanos);
  }

  private static Sample sample(String memory, int bytes) {
    return Sample.byBytes(memory, Sample.POOLED, bytes, bytes, bytes);
  }

  /** Allocates a buffer at a site and releases it. */
  private void allocate(String memory, int site, int bytes) {
    Object buffer = new Object();
    assertThat(AtSites.track(detector, site, buffer, sample(memory, bytes)).close(buffer)).isTrue();
  }

  private void pass(long minutes) {
    nanos += TimeUnit.MINUTES.toNanos(minutes);
    int unused = detector.tick();
  }

  private List<LargestAllocation> largest(String memory, boolean isOfLastHour) {
    return detector.live(0, StackDetail.FRAMES).detail().largest().stream()
        .filter(entry -> entry.memory().equals(memory) && entry.isOfLastHour() == isOfLastHour)
        .toList();
  }

  private List<Long> sizes(String memory, boolean isOfLastHour) {
    return largest(memory, isOfLastHour).stream().map(entry -> entry.bytes() / MIB).toList();
  }

  @Test
  void anEntryHasItsFiguresAlsoAfterTheRelease() {
    long beforeMillis = System.currentTimeMillis();
    allocate("direct", 4, 3 * MIB);
    for (boolean isOfLastHour : new boolean[] {false, true}) {
      LargestAllocation entry = largest("direct", isOfLastHour).get(0);
      assertThat(entry.site()).isEqualTo(Sites.name(4));
      assertThat(entry.thread()).isEqualTo(Thread.currentThread().getName());
      assertThat(entry.bytes()).isEqualTo(3 * MIB);
      assertThat(entry.timeMillis()).isBetween(beforeMillis, System.currentTimeMillis());
    }
    assertThat(detector.live(0, StackDetail.FRAMES).detail().largest()).hasSize(2);
  }

  @Test
  void lessThanOneMebibyteDoesNotCount() {
    allocate("direct", 0, MIB - 1);
    assertThat(detector.live(0, StackDetail.FRAMES).detail().largest()).isEmpty();
    allocate("direct", 0, MIB);
    assertThat(sizes("direct", false)).containsExactly(1L);
  }

  @Test
  void theLargestSitesAreKeptUpToTheLimitWithOneEntryEach() {
    for (int round = 0; round < 3; round++) {
      for (int site = 0; site < 20; site++) {
        allocate("heap", site, (site + 1 - round % 2) * MIB);
      }
      pass(0);
    }
    List<Long> expected = List.of(20L, 19L, 18L, 17L, 16L, 15L, 14L, 13L);
    assertThat(sizes("heap", false)).isEqualTo(expected);
    assertThat(sizes("heap", true)).isEqualTo(expected);
    assertThat(largest("heap", false)).extracting(LargestAllocation::site).doesNotHaveDuplicates();
    assertThat(largest("direct", false)).isEmpty();
  }

  @Test
  void anEntryLeavesTheLastHourAndStaysInTheSpanSinceStart() {
    allocate("direct", 0, 9 * MIB);
    pass(30);
    allocate("direct", 1, 2 * MIB);
    allocate("direct", 0, 3 * MIB);
    pass(29);
    assertThat(sizes("direct", true)).containsExactly(9L, 2L);
    pass(1);
    assertThat(sizes("direct", true)).containsExactly(3L, 2L);
    pass(30);
    assertThat(sizes("direct", true)).isEmpty();
    assertThat(sizes("direct", false)).containsExactly(9L, 2L);
    allocate("direct", 1, MIB);
    assertThat(sizes("direct", true)).containsExactly(1L);
  }

  @Test
  void aBufferThatGrowsCountsWithItsNewSizeAtTheSiteOfItsAllocation() {
    Object buffer = new Object();
    LeakTracker<Object> tracker = AtSites.track(detector, 7, buffer, sample("direct", 1_000));
    assertThat(detector.live(0, StackDetail.FRAMES).detail().largest()).isEmpty();
    tracker.moved(5 * MIB, 8 * MIB);
    tracker.moved(2 * MIB, 2 * MIB); // the buffer shrinks
    assertThat(largest("direct", true))
        .singleElement()
        .matches(entry -> entry.bytes() == 5 * MIB && entry.site().equals(Sites.name(7)));
    assertThat(tracker.close(buffer)).isTrue();
  }

  @Test
  void aSampleThatIsNotWatchedCountsWithItsSite() {
    LeakDetector one =
        new LeakDetector(
            "io.netty",
            new LeakStore(8, line -> {}),
            LeakDetector.Options.DEFAULTS.withMaxWatched(1));
    Object held = new Object();
    LeakTracker<Object> tracker = one.track(held, sample("heap", 1));
    LeakTracker<Object> unwatched = AtSites.track(one, 3, new Object(), sample("heap", 4 * MIB));
    assertThat(unwatched.get()).isNull();
    assertThat(one.live(0, StackDetail.FRAMES).detail().largest())
        .extracting(LargestAllocation::site)
        .containsOnly(Sites.name(3));
    assertThat(one.report("simple", 0, StackDetail.FRAMES).withoutStack()).isZero();
    assertThat(tracker.close(held)).isTrue();
  }

  /**
   * Tests the release of stacks: stacks that stay in use would fill the table of stacks, so that
   * later sites are unknown.
   */
  @Test
  void noStackStaysInUse() {
    for (int i = 0; i < 2 * StackTable.MAX_STACKS; i++) {
      int site = i % Sites.COUNT;
      int bytes = 2 * MIB + i;
      Application.recurse(
          i / Sites.COUNT,
          () -> {
            allocate("direct", site, bytes);
            return "";
          });
      pass(0);
    }
    assertThat(detector.live(0, StackDetail.FRAMES).detail().largest())
        .extracting(LargestAllocation::site)
        .doesNotContain(CallStack.UNKNOWN);
    assertThat(detector.watched()).isZero();
  }

  private static LeakTracker<Object> tracker(LeakDetector detector) {
    return detector.track(new Object(), sample("direct", 1));
  }

  /** Offers an allocation as the detector does; returns whether it waits for its lookup. */
  private boolean offer(LargestAllocations table, LeakTracker<Object> tracker, int bytes) {
    boolean isAccepted = table.mayEnter("direct", bytes, nanos);
    if (isAccepted) {
      LargestAllocations.Candidate unused =
          table.add(
              new LargestAllocations.Candidate(tracker, "direct", bytes, nanos, /* stack= */ null));
    }
    return isAccepted;
  }

  /** Tests that a site with many allocations does not hide other sites, and needs few lookups. */
  @Test
  void aFrequentSizeLeavesPlacesForOtherSizes() {
    LargestAllocations table = new LargestAllocations();
    LeakTracker<Object> tracker = tracker(detector);
    int accepted = 0;
    for (int i = 0; i < 1_000; i++) {
      accepted += offer(table, tracker, 4 * MIB) ? 1 : 0;
    }
    assertThat(accepted).isEqualTo(LargestAllocations.MAX_WAITING / 2);
    assertThat(offer(table, tracker, 2 * MIB)).isTrue();
    for (int i = 1; i < 1_000; i++) {
      boolean unused = offer(table, tracker, 2 * MIB + i);
    }
    assertThat(offer(table, tracker, 3 * MIB)).as("no place").isFalse();
    assertThat(offer(table, tracker, 5 * MIB)).as("the largest").isTrue();
    int waiting = 0;
    int largest = 0;
    for (LargestAllocations.Candidate next = table.poll(); next != null; next = table.poll()) {
      waiting++;
      largest = Math.max(largest, next.bytes);
    }
    assertThat(waiting).isEqualTo(LargestAllocations.MAX_WAITING);
    assertThat(largest).isEqualTo(5 * MIB);
    assertThat(offer(table, tracker, 4 * MIB)).isTrue();
  }
}

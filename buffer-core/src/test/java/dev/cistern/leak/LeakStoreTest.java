/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LeakTotal;
import dev.cistern.leak.report.StackDetail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests with more sites and stacks than the store keeps. */
class LeakStoreTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);
  private static final int LIMIT = 64;

  private final LeakStore store = new LeakStore(LIMIT, line -> {});
  private final LeakDetector detector = new LeakDetector("io.netty", store);
  private final StackTable table =
      new StackTable(new SiteFinder("io.netty"), frame -> false, 4 * LIMIT, 2 * LIMIT, 1 << 16);
  private long nowMillis = 1_000;

  private void leak(String memory, int site, int stack, long bytes) {
    Throwable captured = new Throwable("a stack", null, false, true) {};
    captured.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("com.shop.Cart", "add", "Cart.java", site),
          new StackTraceElement("com.shop.Caller", "call", "Caller.java", stack)
        });
    LeakTracker<Object> tracker =
        detector.track(new Object(), Sample.byBytes(memory, Sample.POOLED, 1_000, 1_024, bytes), 2);
    tracker.record("a hint");
    StackTable.Stack kept = table.intern(captured);
    assertThat(kept).as("a place among the stacks").isNotNull();
    store.add("io.netty", tracker, kept, new Moment(System.nanoTime(), nowMillis++), table);
    table.release(kept);
    tracker.close(tracker);
  }

  private LeakReport report(StackDetail detail) {
    return store.report("simple", detail, 0, 0, 0, 0);
  }

  private static String site(int number) {
    return "com.shop.Cart.add:" + number;
  }

  private static List<LeakEntry> of(LeakReport report, int site) {
    return report.entries().stream().filter(entry -> entry.site().equals(site(site))).toList();
  }

  @Test
  void aSiteKeepsItsCountsWhenItsStacksGiveWay() {
    for (int stack = 0; stack < 3 * LIMIT; stack++) {
      leak("direct", 1, stack, 10);
    }
    leak("direct", 2, 0, 1);
    LeakReport report = report(StackDetail.FRAMES);
    assertThat(of(report, 1)).hasSize(LIMIT);
    assertThat(of(report, 1)).filteredOn(entry -> entry.stack().frames().isEmpty()).hasSize(1);
    assertThat(of(report, 2)).as("the first stack of a site").hasSize(1);
    assertThat(of(report, 2).get(0).stack().frames()).hasSize(2);
    LeakEntry site = of(report(StackDetail.SITE), 1).get(0);
    assertThat(site.found()).isEqualTo(3 * LIMIT);
    assertThat(site.bytes()).isEqualTo(30 * LIMIT);
    assertThat(report.others()).isEmpty();
  }

  @Test
  void aStackWithManySmallLeaksIsShownAtLast() {
    for (int stack = 0; stack < LIMIT; stack++) {
      leak("direct", 1, stack, 100);
    }
    for (int i = 0; i < 10; i++) {
      leak("direct", 1, LIMIT, 10);
      assertThat(of(report(StackDetail.FRAMES), 1)).hasSize(LIMIT + 1);
    }
    leak("direct", 1, LIMIT, 10);
    List<LeakEntry> entries = of(report(StackDetail.FRAMES), 1);
    assertThat(entries)
        .filteredOn(
            entry -> entry.stack().frames().contains("com.shop.Caller.call(Caller.java:64)"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.bytes()).isEqualTo(10));
    assertThat(entries.stream().mapToLong(LeakEntry::bytes).sum()).isEqualTo(100 * LIMIT + 110);
  }

  @Test
  void theRestOfASiteIsInTheRemainderOfItsMemory() {
    for (int site = 1; site <= LIMIT; site++) {
      leak(site % 2 == 0 ? "direct" : "heap", site, 0, site == LIMIT - 1 ? 4 : 100);
    }
    leak("direct", 1_000, 0, 5);
    LeakReport report = report(StackDetail.FRAMES);
    assertThat(report.others()).hasSize(1);
    LeakEntry heap = report.others().get(0);
    assertThat(heap.memory()).isEqualTo("heap");
    assertThat(heap.site()).isEqualTo(site(LIMIT - 1));
    assertThat(heap.stack().frames()).isEmpty();
    assertThat(heap.bytes()).isEqualTo(4);
    assertThat(heap.latest().accessesDropped()).isEqualTo(1);
    assertThat(of(report, 1_000)).hasSize(1);
    assertThat(of(report, LIMIT - 1)).isEmpty();
  }

  @Test
  void buffersAreCountedAfterTheirStackWasReplaced() {
    for (int stack = 0; stack < LIMIT; stack++) {
      leak("direct", 1, stack, stack == 0 ? 0 : stack == 1 ? 5_000 : 1_000_000);
    }
    leak("direct", 1, 0, 0);
    for (int stack = LIMIT; stack < LIMIT + 2; stack++) {
      leak("direct", 1, stack, 1_000_000);
    }
    LeakReport report = report(StackDetail.FRAMES);
    assertThat(of(report, 1)).hasSize(LIMIT + 1);
    assertThat(report.totals())
        .containsExactly(
            new LeakTotal("direct", LIMIT + 3, 2 + 5 + 1_000L * LIMIT, 1_000_000L * LIMIT + 5_000));
  }

  /** Tests after each of many leaks that each leak is counted once, and that no count decreases. */
  @Test
  void sumsAreExactAndNoCountDecreases() {
    SplittableRandom random = new SplittableRandom(SEED);
    Map<String, LeakTotal> truth = new TreeMap<>();
    Map<String, LeakEntry> before = new HashMap<>();
    Map<String, Long> othersBefore = new HashMap<>();
    for (int i = 0; i < 4_000; i++) {
      String memory = random.nextInt(3) == 0 ? "heap" : "direct";
      long bytes = random.nextInt(50) == 0 ? 0 : 1 + random.nextLong(1L << random.nextInt(1, 16));
      leak(memory, 1 + random.nextInt(4 * LIMIT), random.nextInt(8), bytes);
      LeakTotal old = truth.getOrDefault(memory, new LeakTotal(memory, 0, 0, 0));
      truth.put(memory, new LeakTotal(memory, old.found() + 1, 0, old.bytes() + bytes));

      String step = "seed %d, leak %d".formatted(SEED, i);
      LeakReport report = report(StackDetail.SITE);
      LeakReport stacks = report(StackDetail.FRAMES);
      assertThat(stacks.totals()).as(step).isEqualTo(report.totals());
      assertThat(report.totals())
          .as(step)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("buffers")
          .containsExactlyElementsOf(truth.values());
      assertThat(report.entries()).as(step).hasSizeLessThanOrEqualTo(LIMIT);
      assertThat(stacks.entries()).as(step).hasSizeLessThanOrEqualTo(2 * LIMIT);
      for (LeakEntry other : report.others()) {
        Long bytesBefore = othersBefore.put(other.memory(), other.bytes());
        assertThat(bytesBefore == null ? 0 : bytesBefore)
            .as(step)
            .isLessThanOrEqualTo(other.bytes());
      }
      Map<String, LeakEntry> now = new HashMap<>();
      report.entries().forEach(entry -> now.put(entry.memory() + entry.site(), entry));
      now.forEach(
          (site, entry) -> {
            LeakEntry last = before.get(site);
            if (last != null) {
              boolean isAgain = entry.firstSeenMillis() > last.lastSeenMillis();
              assertThat(isAgain || entry.found() >= last.found()).as(step).isTrue();
              assertThat(isAgain || entry.bytes() >= last.bytes()).as(step).isTrue();
              assertThat(isAgain || entry.buffers() >= last.buffers()).as(step).isTrue();
            }
          });
      before.clear();
      before.putAll(now);
    }
    assertThat(report(StackDetail.SITE).foundOfOthers()).isPositive();
    assertThat(table.stacks()).isLessThanOrEqualTo(4 * LIMIT);
  }
}

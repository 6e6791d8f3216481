/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LeakTotal;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.util.ResourceLeakHint;
import example.leaky.Application;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that leaks with hostile hints, stacks and numbers are reported as leaks, and counted. */
@Tag("E3")
@Tag("E4")
class LeakDetectorHostileBufferTest {
  private final List<String> lines = new ArrayList<>();
  private final LeakStore store = new LeakStore(8, lines::add);
  private final LeakDetector detector = new LeakDetector("io.netty", store);

  private LeakTracker<Object> leak(int accesses) {
    return Application.handleRequest(
        () ->
            detector.track(
                new Object(), Sample.byBytes("direct", Sample.POOLED, 10, 16, 10), accesses));
  }

  private LeakRecord found() {
    Collected.until(detector, () -> !store.entries().isEmpty());
    return store.entries().get(0).latest();
  }

  private static final class Throwing {
    private final Throwable failure;

    Throwing(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public String toString() {
      throw sneaky(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException sneaky(Throwable failure) throws T {
      throw (T) failure;
    }
  }

  @Test
  void aHintWhoseTextFailsIsReportedAsFailed() {
    LeakTracker<Object> tracker = leak(4);
    tracker.record(new Throwing(new IllegalStateException("no text")));
    tracker.record(new Throwing(new StackOverflowError()));
    tracker.record(new Throwing(new NoClassDefFoundError("gone")));
    LeakRecord leak = found();
    assertThat(leak.accesses()).hasSize(3);
    assertThat(leak.accesses())
        .allMatch(access -> access.hint().contains(Throwing.class.getName()))
        .allMatch(access -> access.hint().contains("failed"));
    assertThat(leak.accesses().get(0).hint()).contains("NoClassDefFoundError");
  }

  @Test
  void aHintMayNameItselfOrHaveNoTextOrTooMuch() {
    LeakTracker<Object> tracker = leak(4);
    tracker.record("x".repeat(100_000));
    tracker.record(
        new Object() {
          @Override
          @SuppressWarnings("ToStringReturnsNull") // as foreign code can do
          public String toString() {
            return null;
          }
        });
    tracker.record(
        new ResourceLeakHint() {
          @Override
          public String toHintString() {
            return "named";
          }

          @Override
          public String toString() {
            return "not this";
          }
        });
    List<LeakAccess> accesses = found().accesses();
    assertThat(accesses).hasSize(3);
    assertThat(accesses.get(1).hint()).isEmpty();
    assertThat(accesses.get(2).hint()).hasSizeBetween(100, 1_000).startsWith("xxx").endsWith("...");
  }

  @Test
  void accessesBeyondThoseKeptAreCounted() {
    LeakTracker<Object> tracker = leak(4);
    for (int i = 0; i < 100; i++) {
      tracker.record("access " + i);
      tracker.recordCount();
    }
    LeakRecord leak = found();
    assertThat(leak.accesses()).extracting(LeakAccess::hint).startsWith("access 99", "access 98");
    long shown = leak.accesses().stream().mapToLong(access -> 1 + access.repeats()).sum();
    assertThat(shown + leak.accessesDropped()).isEqualTo(100);
    assertThat(leak.counts()).hasSize(LeakDetector.MAX_COUNTS);
    assertThat(leak.countsDropped()).isEqualTo(100 - LeakDetector.MAX_COUNTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 1_010, 3_000})
  void theMissingFramesOfADeepStackAreCounted(int depth) {
    LeakTracker<Object> tracker = Application.recurse(depth, () -> leak(4));
    Application.recurse(
        depth,
        () -> {
          tracker.record("deep");
          return null;
        });
    LeakRecord leak = found();
    // The virtual machine's limit, less some other frames.
    int noted = Math.min(depth, 1_024 - 100);
    for (CallStack stack : List.of(leak.stack(), leak.accesses().get(0).stack())) {
      assertThat(stack.frames()).hasSize(CallStack.MAX_FRAMES);
      assertThat(stack.cutFrames()).isGreaterThan(noted - CallStack.MAX_FRAMES);
      assertThat(stack.site()).startsWith(LeakDetectorHostileBufferTest.class.getName() + ".");
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).hasSizeLessThan(2_000);
  }

  @Test
  void aFullStoreCountsEachLeakOnceAndKeepsOneEntryForTheRestOfASite() {
    for (int round = 0; round < 2; round++) {
      for (int depth = 0; depth < 20; depth++) {
        LeakTracker<Object> unused = Application.recurse(depth, () -> leak(4));
      }
      Collected.until(detector, () -> detector.watched() == 0);
    }
    LeakReport report = detector.report("advanced", 0, StackDetail.FRAMES);
    assertThat(report.entries()).hasSize(8 + 1);
    assertThat(report.entries().get(8).stack().frames()).isEmpty();
    assertThat(report.entries().stream().map(LeakEntry::site).distinct()).hasSize(1);
    assertThat(report.totals()).containsExactly(new LeakTotal("direct", 40, 40, 400));
    assertThat(report.others()).isEmpty();
    assertThat(lines).hasSizeBetween(8, LeakLog.MAX_LINES_PER_MINUTE);
  }
}

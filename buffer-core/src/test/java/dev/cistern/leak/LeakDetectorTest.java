/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LeakTotal;
import dev.cistern.leak.report.StackDetail;
import example.leaky.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the detector with samples at the default level. */
@Tag("E1")
class LeakDetectorTest {
  private final List<String> lines = new ArrayList<>();
  private final LeakStore store = new LeakStore(8, lines::add);
  private final LeakDetector detector = new LeakDetector("io.netty", store);

  /** A buffer as hostile as an application can make it. */
  private static final class Buffer {
    @Nullable LeakTracker<Buffer> tracker;

    @Override
    public String toString() {
      throw new IllegalStateException("toString");
    }

    @Override
    public int hashCode() {
      throw new IllegalStateException("hashCode");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      throw new IllegalStateException("equals");
    }
  }

  private static Sample sample(String memory, int bytes, long weightBytes) {
    return Sample.byBytes(memory, Sample.POOLED, bytes, bytes, weightBytes);
  }

  private Buffer allocate() {
    Buffer buffer = new Buffer();
    buffer.tracker = detector.track(buffer, sample("direct", 256, 512 << 10));
    return buffer;
  }

  private static void release(Buffer buffer) {
    LeakTracker<Buffer> tracker = buffer.tracker;
    if (tracker != null) {
      tracker.close(buffer);
    }
  }

  @Test
  void anUnreleasedBufferIsReportedWithItsSite() {
    Application.handleRequest(this::allocate);
    Collected.until(detector, () -> !store.entries().isEmpty());

    LeakEntry leak = store.entries().get(0);
    assertEquals("direct", leak.memory());
    assertTrue(
        leak.site().startsWith("dev.cistern.leak.LeakDetectorTest.allocate:"), leak::toString);
    assertEquals(1, leak.found());
    assertEquals(512 << 10, leak.bytes());
    assertEquals((512 << 10) / 256, leak.buffers());
    assertEquals(Thread.currentThread().getName(), leak.latest().thread());
    assertTrue(
        leak.stack().frames().get(0).startsWith("dev.cistern.leak.LeakDetectorTest.allocate("));
    assertEquals(0, detector.watched());
  }

  @Test
  void aReleasedBufferIsNeverReported() {
    for (int i = 0; i < 1_000; i++) {
      release(allocate());
    }
    Collected.everythingBefore(detector);
    assertEquals(List.of(), store.entries());
    assertEquals(0, detector.watched());
  }

  @Test
  void aBufferReleasedByAnotherThreadIsNeverReported() throws InterruptedException {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      buffers.add(allocate());
    }
    Thread other = new Thread(() -> buffers.forEach(LeakDetectorTest::release));
    other.start();
    other.join();
    buffers.clear();
    Collected.everythingBefore(detector);
    assertEquals(List.of(), store.entries());
  }

  @Test
  void aReachableBufferIsWatchedAndNotReported() {
    Buffer held = allocate();
    Collected.everythingBefore(detector);
    assertEquals(1, detector.report("simple", 0, StackDetail.FRAMES).watched());
    assertEquals(List.of(), store.entries());
    release(held);
    assertEquals(0, detector.report("simple", 0, StackDetail.FRAMES).watched());
  }

  @Test
  void closingTwiceOrAfterTheReportChangesNothing() {
    LeakTracker<Object> tracker = detector.track(new Object(), sample("heap", 1, 1));
    Collected.until(detector, () -> !store.entries().isEmpty());
    assertFalse(tracker.close(this));
    assertFalse(tracker.close(this));
    assertEquals(0, detector.watched());
    assertEquals(1, store.entries().get(0).found());
  }

  @Test
  void leaksOfOneStackShareAnEntryAndOneLine() {
    for (int i = 0; i < 50; i++) {
      Application.handleRequest(this::allocate);
    }
    Collected.until(detector, () -> detector.watched() == 0);
    assertEquals(1, store.entries().size());
    LeakEntry leak = store.entries().get(0);
    assertEquals(50, leak.found());
    assertEquals(50L * (512 << 10), leak.bytes());
    assertTrue(leak.firstSeenMillis() <= leak.lastSeenMillis());
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).contains(leak.site()), lines::toString);
  }

  @Test
  void differentSitesHaveDifferentEntries() {
    Application.handleRequest(this::allocate);
    Application.writeResponse(this::allocate);
    Collected.until(detector, () -> detector.watched() == 0);
    assertEquals(2, store.entries().size());
    assertEquals(2, lines.size());
  }

  @Test
  void theStoreIsBoundedAndTheSmallestGivesWay() {
    LeakStore one = new LeakStore(1, lines::add);
    LeakDetector small = new LeakDetector("io.netty", one);
    Supplier<Object> first = () -> small.track(new Object(), sample("heap", 10, 100));
    Supplier<Object> second = () -> small.track(new Object(), sample("heap", 10, 60));
    Application.handleRequest(first);
    Collected.until(small, () -> small.watched() == 0);
    String site = one.entries().get(0).site();
    Application.writeResponse(second);
    Collected.until(small, () -> small.watched() == 0);
    LeakReport full = small.report("simple", 0, StackDetail.FRAMES);
    assertEquals(List.of(site), full.entries().stream().map(LeakEntry::site).toList());
    assertEquals(List.of(new LeakTotal("heap", 2, 16, 160)), full.totals());
    assertEquals(60, full.others().get(0).bytes());
    Application.writeResponse(second);
    Collected.until(small, () -> small.watched() == 0);
    LeakReport after = small.report("simple", 0, StackDetail.FRAMES);
    assertEquals(1, after.entries().size());
    assertEquals(60, after.entries().get(0).bytes());
    assertFalse(after.entries().get(0).site().equals(site));
    assertEquals(2, after.foundOfOthers());
    assertEquals(160, after.others().get(0).bytes());
    assertEquals(List.of(new LeakTotal("heap", 3, 22, 220)), after.totals());
  }

  @Test
  void samplesBeyondTheLimitAreCountedAndNotWatched() {
    LeakDetector two =
        new LeakDetector("io.netty", store, LeakDetector.Options.DEFAULTS.withMaxWatched(2));
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Object buffer = new Object();
      held.add(buffer);
      two.track(buffer, sample("heap", 1, 1));
    }
    assertEquals(2, two.report("simple", 0, StackDetail.FRAMES).watched());
    assertEquals(3, two.report("simple", 0, StackDetail.FRAMES).notWatched());
    assertEquals(5, held.size());
  }

  @Test
  void aLogThatThrowsDoesNotLoseTheLeak() {
    AtomicInteger calls = new AtomicInteger();
    LeakStore broken =
        new LeakStore(
            8,
            line -> {
              calls.incrementAndGet();
              throw new IllegalStateException("no log");
            });
    LeakDetector broke = new LeakDetector("io.netty", broken);
    Application.handleRequest(() -> broke.track(new Object(), sample("heap", 1, 1)));
    Collected.until(broke, () -> broke.watched() == 0);
    assertEquals(1, calls.get());
    assertEquals(1, broken.entries().size());
  }

  @Test
  void aDeepStackIsCutAndItsMissingFramesAreCounted() {
    Application.recurse(400, this::allocate);
    Collected.until(detector, () -> detector.watched() == 0);
    LeakEntry leak = store.entries().get(0);
    assertEquals(CallStack.MAX_FRAMES, leak.stack().frames().size());
    assertTrue(leak.stack().cutFrames() > 400 - CallStack.MAX_FRAMES, leak::toString);
    assertTrue(leak.site().startsWith("dev.cistern.leak.LeakDetectorTest.allocate:"), leak::site);
  }

  @Test
  void limitsBelowOneAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LeakStore(0, lines::add));
    assertThrows(
        IllegalArgumentException.class, () -> LeakDetector.Options.DEFAULTS.withMaxWatched(0));
  }
}

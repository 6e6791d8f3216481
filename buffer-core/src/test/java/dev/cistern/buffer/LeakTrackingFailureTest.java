/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.leak.RecordingLevel;
import dev.cistern.leak.WatchFailures;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakTracker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests with hints and listeners that fail: no allocation and no move fails because of them, and no
 * memory is lost.
 */
@Tag("A11")
@Tag("E1")
@Tag("E7")
class LeakTrackingFailureTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Runs in a separate JVM, because the factory must be set before the first buffer. */
  @Test
  void aWatchThatFailsLeavesABufferThatIsNotWatched() throws IOException, InterruptedException {
    String output = OwnJvm.of(WatchedByFailing.class).with("-Xmx128m").run();
    assertThat(output.lines()).contains("as expected");
    assertThat(output).containsOnlyOnce("cannot track a buffer");
  }

  @Test
  void aWatchThatFailsToEndDoesNotFailTheRelease() {
    long before = WatchFailures.count();
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer();
    LeakTracking.close(
        new ResourceLeakTracker<>() {
          @Override
          public void record() {}

          @Override
          public void record(@Nullable Object hint) {}

          @Override
          public boolean close(ByteBuf watched) {
            throw new AssertionError("a watch that fails to end");
          }
        },
        buffer);
    assertThat(buffer.release()).isTrue();
    assertThat(WatchFailures.count()).isEqualTo(before + 1);
  }

  /** Tracker whose every method fails. */
  private static final class Broken implements ResourceLeakTracker<ByteBuf> {
    @Override
    public void record() {
      throw new AssertionError("a record that fails");
    }

    @Override
    public void record(@Nullable Object hint) {
      throw new AssertionError("a record that fails");
    }

    @Override
    public boolean close(ByteBuf watched) {
      throw new AssertionError("a watch that fails to end");
    }
  }

  @Test
  void aTrackerThatFailsDoesNotKeepABufferFromBeingReleased() {
    ByteBuf target = TestAllocators.POOLED.directBuffer(8);
    ByteBuf buffer = new LeakAwareByteBuf(target, target, new Broken(), RecordingLevel.ALL);
    releaseWithViews(buffer, target);
    LeakAwareCompositeByteBuf composite =
        new LeakAwareCompositeByteBuf(TestAllocators.POOLED, true, 4, RecordingLevel.COUNTS);
    ByteBuf component = TestAllocators.POOLED.directBuffer(8).writeLong(7);
    composite.addComponent(true, component).tracker = new Broken();
    releaseWithViews(composite, composite);
    assertThat(component.refCnt()).isZero();
  }

  private static void releaseWithViews(ByteBuf buffer, ByteBuf counted) {
    assertThat(buffer.retain().refCnt()).isEqualTo(2);
    assertThat(buffer.retain(3).touch("hint").touch().refCnt()).isEqualTo(5);
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.release(3)).isFalse();
    assertThat(buffer.retainedDuplicate().release()).isFalse();
    assertThat(buffer.retain().release(2)).isTrue();
    assertThat(counted.refCnt()).isZero();
  }

  @Test
  void aListenerThatFailsDoesNotFailTheNextWatch() {
    ResourceLeakDetector<Object> detector = new ResourceLeakDetector<>(Object.class, 1);
    AtomicInteger calls = new AtomicInteger();
    detector.setLeakListener(
        (type, records) -> {
          calls.incrementAndGet();
          throw new AssertionError("a listener that fails");
        });
    leakOne(detector);
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (calls.get() == 0) {
      assertThat(System.nanoTime()).as("no leak found within %s", LIMIT).isLessThan(deadline);
      System.gc();
      Object next = new Object();
      assertThat(detector.trackForcibly(next).close(next)).isTrue();
    }
  }

  private static void leakOne(ResourceLeakDetector<Object> detector) {
    detector.trackForcibly(new Object());
  }
}

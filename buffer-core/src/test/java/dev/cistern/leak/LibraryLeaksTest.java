/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cistern.leak.report.StackDetail;
import org.junit.jupiter.api.Test;

/** Tests of the functions that the library's detector adds to that of a pool. */
class LibraryLeaksTest {
  /** Tests that a leak does not count twice if buffers are sampled by bytes and by count. */
  @Test
  void theBytesOfALeakAreUnbiasedIfItIsSampledInTwoWays() {
    for (int bytes : new int[] {1, 64, 1_000, 1 << 16, 4 << 20}) {
      for (long inForce : new long[] {512 << 10, 8 << 20}) {
        long weight = ByteSampler.weight(bytes, inForce);
        double byBytes = (double) bytes / weight;
        double byCount = 1.0 / 128;
        Sample drawn = Sample.byBytes("direct", Sample.POOLED, bytes, bytes, weight);
        Sample counted = Sample.byCount("direct", Sample.POOLED, bytes, bytes, 128);
        double expected =
            byBytes * (1 - byCount) * leakBytes(drawn)
                + (1 - byBytes) * byCount * leakBytes(counted)
                + byBytes * byCount * leakBytes(counted.alsoLive(weight));
        assertThat(expected).isCloseTo(bytes, within(0.02 * bytes)); // weights are whole bytes
      }
    }
  }

  private static double leakBytes(Sample sample) {
    Sample weighed = sample.drawnTwoWays(512 << 10, 128);
    assertThat(weighed.liveBytes()).isEqualTo(sample.liveBytes());
    return weighed.leakBytes();
  }

  @Test
  void aSampleThatIsWatchedAgainHasTheSameWeight() {
    Sample drawn = Sample.byBytes("direct", Sample.POOLED, 1_000, 1_024, 512 << 10);
    Sample once = drawn.drawnTwoWays(512 << 10, 128);
    assertThat(once.drawnTwoWays(512 << 10, 128)).isEqualTo(once);
  }

  @Test
  void aSampleCountsOnceIfEachBufferIsWatched() {
    Sample each = Sample.byCount("direct", Sample.POOLED, 1_000, 1_024, 1);
    assertThat(each.alsoLive(512 << 10).liveBytes()).isEqualTo(1_000);
  }

  /**
   * Otherwise no release could end a watch that has begun, and the buffer would count as a leak.
   */
  @Test
  void aBufferIsWatchedEvenIfNoThreadCanStart() {
    LibraryLeaks leaks =
        new LibraryLeaks(
            frame -> false,
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    Object buffer = new Object();
    LeakTracker<Object> tracker =
        leaks.track(buffer, Sample.byBytes("direct", Sample.POOLED, 64, 64, 512 << 10));
    assertThat(leaks.leaks(StackDetail.FRAMES).watched()).isEqualTo(1);
    assertThat(leaks.leaks(StackDetail.FRAMES).failures()).isPositive();
    assertThat(tracker.close(buffer)).isTrue();
    assertThat(leaks.leaks(StackDetail.FRAMES).watched()).isZero();
  }

  @Test
  void leaksAreCountedEvenIfTheLogThrows() {
    LeakStore store =
        new LeakStore(
            8,
            line -> {
              throw new AssertionError(line);
            });
    LeakDetector detector = new LeakDetector("io.netty", store);
    LeakTracker<?> tracker =
        detector.track(new Object(), Sample.byBytes("direct", Sample.POOLED, 64, 64, 512 << 10));
    Collected.until(detector, () -> !store.entries().isEmpty());
    assertThat(tracker.get()).isNull();
    assertThat(detector.live(512 << 10, StackDetail.FRAMES).stacks())
        .singleElement()
        .matches(stack -> stack.lostBytes() == 512 << 10);
  }
}

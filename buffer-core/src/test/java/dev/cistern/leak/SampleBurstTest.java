/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests with more samples between two ticks than stacks may wait for a lookup. */
class SampleBurstTest {
  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
  private final List<Object> buffers = new ArrayList<>();
  private long nanos = System.nanoTime();
  private long nanosPerCall;

  private void track(int samples) {
    for (int i = 0; i < samples; i++) {
      Object buffer = new Object();
      buffers.add(buffer);
      detector.track(buffer, Sample.byBytes("direct", Sample.POOLED, 1024, 1024, 512 << 10));
    }
  }

  private long withoutStack() {
    return detector.report("simple", 0, StackDetail.FRAMES).withoutStack();
  }

  @Test
  void aBurstKeepsItsStacksAsLongAsLookingThemUpTakesFiftyMilliseconds() {
    detector.clock(() -> nanos += nanosPerCall);
    track(4_000);
    assertThat(withoutStack()).isZero();
    nanosPerCall = TimeUnit.MILLISECONDS.toNanos(1);
    track(200);
    assertThat(withoutStack()).isEqualTo(150);
    detector.live(0, StackDetail.FRAMES);
    track(1);
    assertThat(withoutStack()).isEqualTo(150);
    nanosPerCall = 0;
    track(4_000);
    long before = withoutStack();
    assertThat(before).isGreaterThan(150);
    detector.tick(); // adds five milliseconds
    track(4_000);
    assertThat(withoutStack()).isEqualTo(before);
    assertThat(buffers).hasSize(12_201);
  }
}

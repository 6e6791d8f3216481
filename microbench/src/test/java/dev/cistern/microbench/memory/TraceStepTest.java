/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceStepTest {
  private static final int STEPS = 100_000;

  private final long seed = System.nanoTime();

  @Test
  void theSameSeedGivesTheSameTrace() {
    TraceStep one = new TraceStep(seed, SizeMix.UPLOADS);
    TraceStep other = new TraceStep(seed, SizeMix.UPLOADS);
    for (int i = 0; i < 1000; i++) {
      one.next();
      other.next();
      assertThat(one.bytes).as("seed %d", seed).isEqualTo(other.bytes);
      assertThat(one.lifetime).as("seed %d", seed).isEqualTo(other.lifetime);
      assertThat(one.handedOver).as("seed %d", seed).isEqualTo(other.handedOver);
    }
  }

  @Test
  void mostBuffersAreShortLivedAndAFifthIsHandedOver() {
    TraceStep step = new TraceStep(seed, SizeMix.SOCKET);
    int shortLived = 0;
    int longLived = 0;
    int handedOver = 0;
    for (int i = 0; i < STEPS; i++) {
      step.next();
      shortLived += step.lifetime <= 64 ? 1 : 0;
      longLived += step.lifetime >= 64 << 10 ? 1 : 0;
      handedOver += step.handedOver ? 1 : 0;
      assertThat(step.lifetime).as("seed %d", seed).isBetween(1, TraceStep.LONGEST);
    }
    assertThat(shortLived).as("seed %d", seed).isBetween(STEPS * 85 / 100, STEPS * 91 / 100);
    assertThat(longLived).as("seed %d", seed).isBetween(STEPS * 2 / 100, STEPS * 4 / 100);
    assertThat(handedOver).as("seed %d", seed).isBetween(STEPS * 18 / 100, STEPS * 22 / 100);
  }

  static List<SizeMix> mixes() {
    return List.of(SizeMix.SOCKET, SizeMix.UPLOADS, SizeMix.BURST, SizeMix.KIB);
  }

  @ParameterizedTest
  @MethodSource("mixes")
  void sizesKeepWithinTheirMix(SizeMix mix) {
    SplittableRandom random = new SplittableRandom(seed);
    int least = Integer.MAX_VALUE;
    int largest = 0;
    for (int i = 0; i < STEPS; i++) {
      int bytes = mix.next(random);
      least = Math.min(least, bytes);
      largest = Math.max(largest, bytes);
    }
    assertThat(least).as("seed %d", seed).isBetween(mix.least(), mix.least() * 2);
    assertThat(largest).as("seed %d", seed).isBetween(mix.largest() / 2, mix.largest());
  }

  @Test
  void theLoadSwingsBetweenTroughAndCrest() {
    assertThat(MixedTrace.boundBytes(0)).isEqualTo(16L << 20);
    assertThat(MixedTrace.boundBytes(MixedTrace.STEPS * 5 / 8)).isEqualTo(64L << 20);
  }
}

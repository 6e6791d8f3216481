/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.TestLength;
import dev.cistern.testing.Tool;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The engine with a full Java heap: runs {@link HeapExhaustion} and {@link FirstUse}, each in a
 * separate JVM.
 */
@Tag("A15")
class HeapExhaustionTest {
  private static final long MILLIS = TestLength.choose(1_200, 2_000, 30_000);
  private static final long MAX_SECONDS = MILLIS / 1000 + 60;

  @ParameterizedTest
  @CsvSource({
    "true, -XX:+UseSerialGC",
    "false, -XX:+UseSerialGC",
    "true, -XX:+UseG1GC",
    "false, -XX:+UseG1GC"
  })
  void aFullHeapLosesNothing(boolean threadCaches, String collector)
      throws IOException, InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("-Dcistern.seed=" + seed);
    check(
        "-Dcistern.seed=" + seed,
        OwnJvm.of(HeapExhaustion.class).with("-Xmx24m", collector),
        Long.toString(seed),
        Long.toString(MILLIS),
        Boolean.toString(threadCaches));
  }

  @Test
  void firstRequestsAndRetirementsInAFullHeapLoseNothing()
      throws IOException, InterruptedException {
    check(
        "first use",
        OwnJvm.of(FirstUse.class).with("-Xmx12m", "-XX:+UseSerialGC"),
        OwnJvm.place(BufferPool.class),
        OwnJvm.place(FirstUse.class));
  }

  private static void check(String name, OwnJvm jvm, String... arguments)
      throws IOException, InterruptedException {
    Tool.Outcome outcome =
        jvm.with("-XX:-UseGCOverheadLimit").within(MAX_SECONDS).outcome(arguments);
    System.out.println(outcome.printed());
    assertThat(outcome.status()).as("%s: %s", name, outcome.printed()).isZero();
  }
}

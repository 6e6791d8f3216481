/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.Tool;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a release in a full heap: runs {@link FullHeap} in a separate JVM. */
@Tag("C3")
class CompositeByteBufFullHeapTest {
  @Test
  void theComponentsOfACompositeAreReleased() throws IOException, InterruptedException {
    Tool.Outcome outcome =
        OwnJvm.of(FullHeap.class)
            .with("-Xmx32m", "-XX:+UseSerialGC", "-XX:-UseGCOverheadLimit")
            .outcome();
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.DeepStack;
import dev.cistern.testing.TestLength;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Tests that the stack can end at every depth of a release or a move: runs {@link
 * StackEndOfBuffers}.
 */
class StackEndOfBuffersTest {
  private static final int DEPTHS = TestLength.choose(35, 35, 340);
  private static final int EVERY = 31;
  private static final int ONE_CASE_IN = TestLength.choose(3, 3, 1);

  @Test
  void aStackThatEndsInABufferLosesNothing() throws IOException, InterruptedException {
    String output =
        OwnJvm.of(StackEndOfBuffers.class)
            .with(DeepStack.class)
            .with("-Xint", "-XX:+UseSerialGC")
            .run(String.valueOf(DEPTHS), String.valueOf(EVERY), String.valueOf(ONE_CASE_IN));
    System.out.println(output);
  }
}

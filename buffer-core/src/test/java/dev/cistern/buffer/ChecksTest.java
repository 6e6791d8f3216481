/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the two switches for checks, each in a separate JVM because they are constants. */
@Tag("B4")
class ChecksTest {
  /** The program of the other JVM: prints which accesses the library refused. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] arguments) {
      // Heap memory within the array, so that an access without a check does no harm.
      ByteBuf buffer = TestAllocators.POOLED.heapBuffer(8);
      String bounds = refusal(() -> buffer.getByte(9));
      buffer.release();
      String accessible = refusal(() -> buffer.getByte(1));
      System.out.println("bounds " + bounds + ", accessible " + accessible);
    }

    private static String refusal(Runnable access) {
      try {
        access.run();
        return "served";
      } catch (RuntimeException refused) {
        return refused.getClass().getSimpleName();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, bounds IndexOutOfBoundsException, accessible IllegalReferenceCountException",
    "false, true, bounds served, accessible IllegalReferenceCountException",
    "true, false, bounds IndexOutOfBoundsException, accessible served",
    "false, false, bounds served, accessible served",
  })
  void eachIsOnUnlessSwitchedOff(
      boolean checkBounds, boolean checkAccessible, String bounds, String accessible)
      throws IOException, InterruptedException {
    OwnJvm jvm =
        OwnJvm.of(Probe.class)
            .with(
                "-Dcistern.buffer.checkBounds=" + checkBounds,
                "-Ddev.cistern.buffer.checkAccessible=" + checkAccessible);
    assertThat(jvm.lastLine()).isEqualTo(bounds + ", " + accessible);
  }
}

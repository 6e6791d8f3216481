/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-Dcistern.buffer.checkBounds=" + checkBounds);
    command.add("-Ddev.cistern.buffer.checkAccessible=" + checkAccessible);
    command.add(Probe.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(output.trim()).isEqualTo(bounds + ", " + accessible);
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A check needs enough stack, however it is compiled: runs {@link StackProbe}. */
class StackRoomTest {
  /** With 1,617 bytes no slow path failed in the interpreter, with 995 one did: StackEndTest. */
  private static final int MIN_BYTES = 2_500;

  @ParameterizedTest
  @CsvSource({
    "-Xint, 20000",
    "-XX:TieredStopAtLevel=1, 100000",
    "-XX:-TieredCompilation, 1000000",
    "-XX:+TieredCompilation, 0",
    "-XX:+TieredCompilation, 2000",
    "-XX:+TieredCompilation, 1000000"
  })
  void aCheckNeedsMoreStackThanASlowPath(String option, int checksBefore) throws Exception {
    String output =
        OwnJvm.of(StackProbe.class)
            .with(
                option,
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=exclude,dev.cistern.pool.StackProbe::descend")
            .run(String.valueOf(checksBefore));
    System.out.println(option + " after " + checksBefore + " checks: " + output.strip() + " bytes");
    assertThat(Long.parseLong(output.strip())).isGreaterThan(MIN_BYTES);
  }
}

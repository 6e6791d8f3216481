/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import example.leaky.LeakOfEveryKind;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a leaked buffer of every kind is reported once, with its accesses. */
@Tag("E1")
@Tag("E3")
@Tag("E4")
@Tag("E5")
@Tag("E6")
@Tag("E7")
class LeakOfEveryKindTest {
  @ParameterizedTest
  @ValueSource(strings = {"simple", "advanced", "paranoid"})
  void eachIsReportedOnceWithItsTrace(String level) throws IOException, InterruptedException {
    String output =
        OwnJvm.of(LeakOfEveryKind.class)
            .with("-Dcistern.leakDetection.level=" + level)
            .with("-Dcistern.leakDetection.samplingInterval=1")
            .run();
    assertThat(output).contains("as expected");
  }
}

/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verdict names the cause of each of a few faults. */
class ShortScenariosIT {
  @Test
  @Tag("smoke")
  void aLeakIsFoundWithinAMinute() throws Exception {
    assertRight(List.of(Scenarios.named("leak-dropped-swap-4.1")));
  }

  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void sevenKindsOfFaultsAreFound() throws Exception {
    assertRight(Scenarios.shortFaults());
  }

  private static void assertRight(List<Scenario> scenarios) throws Exception {
    List<RunResult> results =
        new RunScenarios(RunScenarios.builtAgent(), 6, 0).run(scenarios, false);
    String report = new ConfusionReport(results).markdown();
    System.out.println(report);
    assertThat(results).as(report).isNotEmpty().allMatch(RunResult::isInTime);
  }
}
